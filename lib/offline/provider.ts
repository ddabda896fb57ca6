/** The stand-in as a provider of models, and its options by model name. */

import { UsageError } from "../core/errors.ts";
import { isOffline, isSimulated } from "../core/llm/prices.ts";
import type { Provider, ProviderContext } from "../core/llm/provider.ts";
import { createStandIn, OFFLINE_RULES, type OfflineOptions, type Responder } from "./stand-in.ts";
import { checkModelOptions, EXTRACTION_ERROR_RULES, parseErrorRates } from "./errors.ts";
import {
  CLAIMED_CONTEXT,
  PERFECT,
  type PlayerProfile,
  profileNamed,
  profilesHash,
} from "./profiles.ts";
import { SIMULATION_RULES } from "./simulated.ts";
import { offlineResponders } from "./responders/mod.ts";

/** What a model's name sets. */
interface Settings {
  readonly modelOptions: OfflineOptions;
  /** Of a simulated player that leaves out facts. */
  readonly profile?: PlayerProfile;
}

interface ProviderOptions {
  /** They answer roles of custom memories and methods, before the built-in ones. */
  readonly responders?: readonly Responder[];
}

/**
 * Creates the provider of `offline` and its weaker forms (see `offlineSettings`). An episode's
 * attempt seeds its model; settings in the model's name override the study's options.
 */
export function createOfflineProvider(options: ProviderOptions = {}): Provider {
  return createProvider(options, {
    id: "offline",
    serves: (model) => isOffline(model) && !isSimulated(model),
    settingsOf: (model, given) => ({ modelOptions: offlineSettings(model, given) }),
  });
}

/**
 * Creates the provider of simulated players, `sim:<name>`: the stand-in, using facts with NoLiMa's
 * chances. Errors may follow the name, in percent: `sim:99,missed-triplet=5`.
 */
export function createSimulatedProvider(options: ProviderOptions = {}): Provider {
  return createProvider(options, {
    id: "sim",
    serves: isSimulated,
    settingsOf: simulatedSettings,
    rules: () => `${SIMULATION_RULES} ${profilesHash()}`,
  });
}

function createProvider(
  options: ProviderOptions,
  { id, serves, settingsOf, rules }: Pick<Provider, "id" | "serves"> & {
    settingsOf(model: string, given: OfflineOptions): Settings;
    /** The version of what it does besides the stand-in. */
    rules?(): string;
  },
): Provider {
  const responders = [...offlineResponders, ...options.responders ?? []];
  const settings = (model: string, { attempt, modelOptions }: ProviderContext): Settings =>
    settingsOf(model, { ...modelOptions, seed: attempt });
  return {
    id,
    serves,
    open: (model, _endpoint, context) => {
      const { modelOptions, profile } = settings(model, context);
      const standIn = createStandIn({ responders, modelOptions, profile });
      return {
        model: { id: model, chat: (request) => standIn.chat(request) },
        identity: [model, JSON.stringify(modelOptions), rules?.() ?? []].flat().join(" "),
        pure: true,
      };
    },
    check: (model, _endpoint, context) => void settings(model, context),
    ignores: (_model, endpoint) =>
      Object.keys(endpoint).filter((field) => field !== "maxTokens" && field !== "images"),
    identity: ({ modelOptions = {} }, models) => ({
      ...identityOf(
        modelOptions,
        models.map((model) => settingsOf(model, modelOptions).modelOptions),
      ),
      ...(rules && { simulationRules: rules() }),
    }),
  };
}

/** What makes replays of answers differ: options and rule versions. */
function identityOf(
  modelOptions: OfflineOptions,
  models: readonly OfflineOptions[],
): Record<string, unknown> {
  const isGarbled = models.some((
    { recall = 1, precision = 1, missedTriplet = 0, wrongTriplet = 0 },
  ) => recall < 1 || precision < 1 || missedTriplet > 0 || wrongTriplet > 0);
  return {
    modelOptions,
    offlineRules: OFFLINE_RULES,
    ...(isGarbled ? { extractionErrorRules: EXTRACTION_ERROR_RULES } : {}),
  };
}

function simulatedSettings(model: string, given: OfflineOptions): Settings {
  const [name = "", ...errors] = model.slice("sim:".length).split(",");
  checkModelOptions(given);
  const window = name === PERFECT ? {} : { window: CLAIMED_CONTEXT };
  const profile = profileNamed(name);
  return {
    profile: profile.curve.length === 0 ? undefined : profile,
    modelOptions: { ...window, ...given, ...parseErrorRates(errors) },
  };
}

/** The options of `offline-weak`: recall 0.6, precision 0.85, a window of 2000 tokens. */
export const WEAK_OPTIONS = {
  recall: 0.6,
  precision: 0.85,
  window: 2000,
} as const satisfies OfflineOptions;

/**
 * The options that a model's name sets: `offline` (those given), `offline-weak`, and suffixes
 * `-r60` (recall in percent), `-p85` (precision), `-w2000` (window in tokens).
 * @throws {UsageError} if the name is none of these.
 */
export function offlineSettings(model: string, given: OfflineOptions = {}): OfflineOptions {
  const [, weak, ...settings] =
    model.match(/^offline(-weak)?(?:-r(\d{1,3}))?(?:-p(\d{1,3}))?(?:-w(\d{1,7}))?$/) ?? [];
  const [recall, precision, window] = settings.map((digits) =>
    digits === undefined ? undefined : Number(digits)
  );
  if (settings.length === 0 || (recall ?? 0) > 100 || (precision ?? 0) > 100 || window === 0) {
    throw new UsageError(
      `there is no offline model ${model}: choose offline or offline-weak, with -r<0 to 100>, -p<0 to 100> and -w<tokens> after it, in this order`,
    );
  }
  checkModelOptions(given);
  return {
    ...given,
    ...(weak === undefined ? {} : WEAK_OPTIONS),
    ...(recall === undefined ? {} : { recall: recall / 100 }),
    ...(precision === undefined ? {} : { precision: precision / 100 }),
    ...(window === undefined ? {} : { window }),
  };
}
