/**
 * What studies and reports know of the world `alfworld` without starting it: its task types, and the frozen households by number.
 *
 * @module
 */

/** A type of household task, by the names that evaluations use. */
export type AlfworldTask = "put" | "examine" | "clean" | "heat" | "cool" | "puttwo";

/** One type of task. */
export interface AlfworldTaskType {
  /** ALFWorld's own name, e.g. `pick_and_place_simple`. */
  readonly official: string;
  /** Games of this type among the 134 unseen official ones, and among the 134 frozen households. */
  readonly games: number;
}

/** The six types of task, in the order of ALFWorld's numbers for them. */
export const ALFWORLD_TASKS: Readonly<Record<AlfworldTask, AlfworldTaskType>> = {
  put: { official: "pick_and_place_simple", games: 24 },
  examine: { official: "look_at_obj_in_light", games: 18 },
  clean: { official: "pick_clean_then_place_in_recep", games: 31 },
  heat: { official: "pick_heat_then_place_in_recep", games: 23 },
  cool: { official: "pick_cool_then_place_in_recep", games: 21 },
  puttwo: { official: "pick_two_obj_and_place", games: 17 },
};

/** One frozen household: `{ set: "households", game: index }` opens it. */
export interface AlfworldHousehold {
  /** 0–133. */
  readonly index: number;
  /** Its type. */
  readonly task: AlfworldTask;
  /** SHA-256 (hex) of its game: the world's `identity`. */
  readonly sha256: string;
}

const FROZEN: readonly (readonly [AlfworldTask, string])[] = [
  ["put", "e4b9a09a8f21d6ce0cfcb752aeca845e1c42c0c9c3d38f97a09205f7bf7cb5d3"],
  ["examine", "089b97f83621cbe5a9a64cbdb01cf88f2c32b860ffb45f801314f38560ef313a"],
  ["cool", "3513a4003e7a5e17d06e9edda18a280a4aa236cd4b845a237ec4d6764d390e1a"],
  ["clean", "b2ccca5410bd7e78acd9e8551f50647ff5e6bc9c623fdd864145f2a6627e11d1"],
  ["cool", "c0ad816adfd684515b81f853829a710ef4c2fd7413e4748b605f6084d4be4536"],
  ["cool", "d3a984229d9812a3c27cc5e6d20ac70864c68cd7cb25218ee7ae07a7bc72f102"],
  ["examine", "222fe2fb0d219fafdcb43e42705dd81ad34e7d38782c36b9f868120b825167b0"],
  ["cool", "dbcd13de7869b7eb7d70508db2de1378942d35320a2d22b353a17c46fc4ab9c9"],
  ["put", "b78113c5237f359c617a35f9a3efa89366a3a5df59d23dfef60700c0dc6b5f3a"],
  ["clean", "6b4ba864d823e4defe6b38ca1b07e5bcf39705fd08ec364ac372db3933eec788"],
  ["heat", "58db5176b18fb0d042c1bfe4587b08026725baad635e1bbf8a16b0b30ec0f028"],
  ["clean", "5059881abd2557755aa5b218c75445b20fcb810cfec544c4e2c0bff396c83892"],
  ["clean", "cabf1bce33414a7be67a54c0c688a8e7dc9fd1d2f58f396ab5ff846cb795a81d"],
  ["examine", "0f8ae844574b901ec9105890a3b87507ff3e2b683124977b129317fbee0d0e0e"],
  ["cool", "7c8938739a035c6045c95213b850e875bc3a618f9a406c4c7d3e126c3a6ed9f6"],
  ["puttwo", "ba1f5062e068d2c4798ec149539d83a4158f325e92e193b710efbe368692b6c4"],
  ["puttwo", "0d8a9b34621d3b3b6723fabd812466a691c76a54ca463612d65bb5c282aea44e"],
  ["clean", "73ff3b5e5c99d90b83127232f236ca723cf6b2e2c96578e9cb2613bb20ab3245"],
  ["cool", "1402eb11ad6e139e0b0c55eabd4d31d8edf54b6e2e43c51b7e988b1bda3365b3"],
  ["puttwo", "29b1f4e745ec1155b8cb9fdeb4e8342db989d51bef1b5f4f8bf7b3cde2541214"],
  ["puttwo", "05c412cb7fcef070ff9320f38d9b77539cd4e24cf3f88023920ddd0e1c82bf7b"],
  ["clean", "75b979cff488b385d02d62156128c0e1d9cfd0b2dc6fa729f003f1a0c40b020a"],
  ["clean", "e2e71c66f075e020d79bb53cf413cef7ffe8b35d11836220b1f4471c751e937e"],
  ["cool", "badd89eb0c7f7af45808ffbdb0f7b048ab781cda44a5c50b278fd16009c8ee43"],
  ["put", "88f2046e6cd88bb463b145f731f39ee84875d518a2f69057b921cd1381f6969a"],
  ["heat", "012860642fc3cbfb6ebdad27cb68295400ff97311178a11969468653a427c141"],
  ["put", "cb8313133954096767f7f34c9cd5ca33708883fda10ff0b7e6556a0f8ffbae2a"],
  ["examine", "c2863fa4db0c54aec3d62266fa959dd41e0e4b89e251bbcf4fcc85ca8d4819c0"],
  ["put", "59a376d9e1e9389580258d270ec417d4c7757ce073cb7fa519dd74ffec71226a"],
  ["clean", "e8fd37789c623a75aea0bc41ea32bbb8d3685ff77a56c2a1401a26027fb5d6ec"],
  ["heat", "cec28b371d4590ba96b5816b015c8f0b9a9cd4ca1c3c91e879a2b1f687aa6464"],
  ["clean", "5c252c765e6efc50fefd39451aa5d54e8a4c5adfd3c627e7294c048377858e2f"],
  ["puttwo", "f5450a6d8d99822e1bcc468e5f1a5f334e851b3f4a4483b8500282e160236512"],
  ["clean", "2e6ca667475e5e2e5606a61a20a6037dc4ac956deeaa5689d1704765ef85876d"],
  ["clean", "595151d5616bd64f1c7265d9204fe002ff14d94e635dcc70797d0e46543b2cae"],
  ["heat", "a49d33f707f272bdff7e123ecabaa998116e1458a07138772d5ecad7a23168e4"],
  ["cool", "f7db491b0361c9ef1d5ed0b5bd67b388706f162702c73e3860eeba0145be8e1e"],
  ["heat", "0a7c16b5ebd37dfafcfd121cd6fd7e0d7aa407e98b56b7f05dcd5d3b4ee1cc73"],
  ["put", "d337703399b9afccb1f0c0a9641e5ab3664f532ddfdb9d373bd4f1655ab827ed"],
  ["put", "ec17a947b18404745806e0b0fd04fc91d2388449e588bc9ac94d0dd0c694910e"],
  ["cool", "6ef655976afcef6a0b198c62d382cb119dd887bda325d5a14638b904107d3576"],
  ["heat", "b733ade039a6ffa36ec52acff7d294c6e273f2eeda21f37c9f1a149da2781165"],
  ["put", "477a976a1c323457dac48d7a0a3ff2490b89b0fd5740831e2cbec5b0accfa7f0"],
  ["cool", "901347cce4cef435c22ba05bf01cd3b9f63a8fec1d2c8ee36834913aedee3bdf"],
  ["put", "08c96029ddd545e51c48b14008052cfe8d2448076444db914af30b855a302ffc"],
  ["cool", "a08c082d332a165de71bda945106ee8568cdbb5a19e592128e79fae5e3cefa9b"],
  ["clean", "28db10888c40c34b88b092326e3c5063f7275178c3a6fd0d5a5d465399cca420"],
  ["cool", "b5dd215547c909356cdc23082c51affa0ba3c383256cba8475a43191f34286f5"],
  ["clean", "254255862dd0b19fbb0508460a47de4dbbdd3b1da9d984fe8fb7d17fc646026f"],
  ["put", "79bd8df8da7b14e0d35e03dfad3adbf264fcc1f991792c7d45f3f5588a7753e8"],
  ["clean", "7b1b9071a527010fffa31f5e3476c039a719f199570f2bd07234eb7b7cc1a690"],
  ["clean", "23d67b7e42edf95ae0ccdadecd0e45fb3074b533a2019c5d6e4ffec46f2ebc29"],
  ["cool", "464c333cfaa7c42d1ed42f43c0e293a90a574a39403cfd0747fec5eae9164f91"],
  ["heat", "0e53ed96b2c230d68acb2e2139a230c5f786a81c911665f0b212f626c5feb864"],
  ["cool", "b0278099eafb6b3984af359a390304b97b6c73c77e5d85a909b7a60e0a67f73e"],
  ["puttwo", "79f802766bfdfad7a3efbcc922c7a1156b94947d822d55cfee4c15c572f8aa81"],
  ["examine", "62d7977a0fcb997b8f05f70187132c7127fcc60914485fa891c672765e509147"],
  ["examine", "bbbed51f34845b46035de344d7bc278bcc3631ef219932e071afe80ade5acb80"],
  ["examine", "48f0d9f3af31c230ef86e533a76277374cc199be59c2970d609b6f04c9bcea2c"],
  ["put", "fafb1ceac2493a3992f474fdf4345aa95c1654e04336aec3ae282e23ddc631d6"],
  ["heat", "49dd7e7e6e99a9c7de62986d47c6dca7c8cef381b68e3c10616673d914cc2048"],
  ["put", "daad064137815f8dace413268d4f0e5925f5ca807332e23257719c40620355bf"],
  ["clean", "e3485ff06162b27e97b1fc139ee4efd1172384b44a04861434f62d4d0b6d468d"],
  ["put", "3c6a2b9a28469c44a2bf558b33fe483199f14902aeb24a9b25fb842b314fb578"],
  ["put", "3b5d3621467ca8e3cf9a12e7868aacbbd6477bdb606f63438834a18dacefdc1a"],
  ["cool", "644424bb47312b07fbacbbffee38c8de2fb2b2379049019a8c3cde13599a0170"],
  ["put", "6e24038625fa498305420a966fd8bf41556334f7a1bd55c3df5e51514ff26365"],
  ["clean", "b04e49f84c0a07a7eef5248d66f6edda288b6347eef67f9a60372ab25a603681"],
  ["puttwo", "7172588b63c90c21058669ad98a6f57ff296c7212a96efea7b9b286172a97402"],
  ["clean", "975781bf730c5a1fa62b75ebb229d47f163fd33fa9098c340a4bfd8c436d4559"],
  ["clean", "99148d584a965a90e1529c2523e4fc919ed2f1ab6746c42ecf7b2d3be2067686"],
  ["clean", "cbc1364460722f3836ab571ddba60eaead112aede2b96214e990d6c68b09d850"],
  ["puttwo", "d7e3d27e43b6d05d4d405524eca88a2e39dfe10b30aa6d014d767e7fe57e23f3"],
  ["put", "fcb79ecbf31e9f1da88d4c0b8a613b8abc91b5c1ba986d5b53c34f483ea6d6f2"],
  ["clean", "4ff8a88ce426991f72b25afcda49ddcb3371d4e5f668a7e4549deeb074bef675"],
  ["heat", "5e81acda5bbb822513a507fbb2a7519038aacc624efa2d8e5cf1992c8de9db6d"],
  ["heat", "a1828820b840e4c0d550eeb2cdcc9d528a8f32f1054de5ddb09911a631adb51d"],
  ["examine", "77a28815f48663048980cec82340ec81828b699839a7ce2d4a86f0fb81cdc07f"],
  ["puttwo", "5528b8e39ebbee099fbe295548ee7acadd595073fa769b1262dd1619209c3af9"],
  ["examine", "4fa05b3a8535ab59bd4e1732e9061ab3a997c72fabaa10ab49c7337e6f68b398"],
  ["heat", "a0b120ddb3f0216980e3b00a6e68d15e27a45fa5a959b30b32abdab43fe29019"],
  ["puttwo", "5775232e956a330891451f6b09d52068170cbe639a6ed02d2bd1793b25447127"],
  ["heat", "97f636872617dec30ad3c8230e109e570da64f27dffa264ed94de85bfd6e41a2"],
  ["examine", "165ab3314cc9f19d5a08f8ec2330d9119997b59dd75b51f698490640c267921d"],
  ["examine", "8b9475ec67a0b0b2081bb9a1a3f4cf8e3f073ef64f5363586ebeaa0e504e3b40"],
  ["examine", "e3e1ab4f8220682dfdabbc54eeb8484e39d26c5c511ae9379458616f7329765f"],
  ["examine", "786d9b6cd09d67a278f68801d4e61efe3c0e852cd9a14d5db4790ba1f627a76a"],
  ["heat", "17fb3b1b3b19ea98bc13e4e8f4d4f884cabe98e8b80851714085d928996d47f2"],
  ["examine", "b259ca21d4dad051361d0f53ff1c1ea8bd042f7f8e9414f3fc375dc30127d14f"],
  ["examine", "80c2f3a27480feb5d6e7630e17adcfcaca17cc90fd1b0f94eafd8ad797110e53"],
  ["puttwo", "57d2bbaa21dd7eb5ec4e36a1866e46164f294c53028b22a1155b1dcf7811b1c5"],
  ["puttwo", "b2f250b4e12e55073d598c1c5650803ca6ae92c511514183d45b51b485b6201b"],
  ["heat", "5f401f2503484764da45d3bc0f3109cdf420e25157e28e96333b4d0b6db901d8"],
  ["clean", "903ba103521201b0196fbf45fc82c76b0949ec55643893cd88d8fe05a6ccff10"],
  ["heat", "4845d0c7e16f9efdc599cb4d1894bf9484a0b0725c7cb2b91dad7ead435a5962"],
  ["put", "4f8099a13d0074f536f8b45c0c0baa75f07b1eb4966ef338828202316ac8efa8"],
  ["put", "6cbf6faf0ab12b411f1400285afc58af1aa600d470fed520b88ac15b8ff2e3fe"],
  ["clean", "53f3e75fc5feeb819eac6ef5b7fe4e4445bd7cb89ec58312242f9028a6d7a0a0"],
  ["heat", "21aefc3b4da2e9166f194a5e6e0855f463e78a39fa9bcafe7168c4d15dbf4746"],
  ["clean", "c992e07e9bf6da96bc5dff5e3e25c43ef447284561c47eff3e1caa5c6beff98d"],
  ["puttwo", "264d69dd5c8b9f3d941110c571caca01b532b76272291e15132910be8d78ea19"],
  ["put", "cc8fb62a70130b9c8d1764edd940a085df739991c2121264830dee84db13d6f0"],
  ["clean", "6888156c557115672876fca0eccf5e9a310716812da03f4b4eb49e684ea8bf8c"],
  ["heat", "7c89c81a2b138d41e400ed16e4e4ddbe627a07656b2cfbb68f5c060c709a9b88"],
  ["examine", "a5ed962d907312b2b23939d0ab7243b0e277750ebe4cd499fc5fe992e518207f"],
  ["cool", "2e017728501401e9226f29e052239aca278a59d1f6063a5070b9ccb92a6b1c82"],
  ["cool", "036f709b7925179dd1cb8450aad7d62d37f9a963d5faa456a0134b8b2acf7266"],
  ["clean", "32b3413cd8b27e5a41edc45af7fd20a90ff299fde2fc137a9a94b0f504778f77"],
  ["cool", "bf497fd78800d864c3072425202ec84287239c54343cfecadc5da2518464c28f"],
  ["heat", "c4f72f83e2b5ef65f5867e11ee6ae4f37ad827cd69bbc4b95fceee7998241161"],
  ["heat", "1d20c96a9546d97b8217185a02e774d381d9f1b475851ef40699f99ff9910f2d"],
  ["put", "a92754c0e27acaef5336611a27ff3afb218b95f14fbe6fb6b7e166d19a135a75"],
  ["put", "8014f780fbd5cb1f2e94825a25681031cbb999cc9edcf299d9e77a504a3fcc93"],
  ["cool", "1dfb6c3b26a00ac1eb888d7f6238a16acb77ad69f16d350793465473361cbccc"],
  ["heat", "803be057732b7cd061ebbf10ffb544dd8b2f4021bef815c3e04f9b92a0fb1c39"],
  ["put", "d3bd50c61bb633f940473423e0db4cb88c6d0aff0ee6bc2734882d5f29f1640e"],
  ["heat", "be0a860cbff41a9a8389f3448569906eb8ea28015754517fe30c5cae0836428d"],
  ["cool", "99256fc51cf612a671b3acf4936a6b707caee06753c50efc785414bf6382e07d"],
  ["examine", "2a607b06a183b59a629bdf9b81e9962dc6006262d7460dc669e0fa0a2d746e18"],
  ["cool", "fbf943c215850d2955a318582d93800941ec9caf0574ee8c4159a217d4722e2e"],
  ["puttwo", "0eefd65fbfa2f89bf1480130a0aa22a27f9683b7bf48913277808a17142a19c0"],
  ["heat", "787b1cd331a0ee857e5e9b8efe53ff0696eca49efd4c8eff26074b55c63c2e3e"],
  ["puttwo", "6196174134cc3af72791bd84979411e747402f1fb6a2310a738f0be8d2585e5d"],
  ["puttwo", "5da65c9d0b0a8dba9996081f761d6b9c5a906aa3a3b1c72f36d48527fd9ec2ad"],
  ["clean", "2068d73210ed346abb053599c8d49675dbcea1c23f0974782d36d1f7d198a298"],
  ["puttwo", "6f9be68e1504401c0b68b2b0cc4833e7b14193cd65d15e11219ff095a235a024"],
  ["heat", "2964369fe233f6a6bc1faaa06b7bf558b7fb6acb439a85365a4b35a51a7e8d64"],
  ["put", "ada79a99ee3e54afcb6591a992c6b84eef32b2f4f72ec7b2a6ba5aba1aebdd59"],
  ["clean", "dec4fc355514652d64ae180dab82324658e8807e07d41eedcb94328a465c620d"],
  ["clean", "b15c7ac8cf239a7dee51a2ceeb2abc282abe207e253f58c7a47d7e958a5951f1"],
  ["examine", "d7cb34fb0e2f667e62c998655b4953ec7e3b048ffd0beb63b2dca14d6c5c1c2f"],
  ["clean", "11746084cf2fe7ca30a44c861a94fedea7c26d2fc571718c81cfb3fd123bebe1"],
  ["put", "9724d53eccc89582e1aad93874b79849b28ef7667e6e10deb3d1d4747bf64d50"],
  ["clean", "e21f5c6bfd26fddac88a4c2020416e9ead4b14b4683cab5febfac4109fd832e4"],
];

/** The frozen set, by index: 134 households in mixed order of types, so that any first n have several. */
export const ALFWORLD_HOUSEHOLDS: readonly AlfworldHousehold[] = FROZEN.map(([task, sha256], index) => ({ index, task, sha256 }));
