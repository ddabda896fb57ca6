/** The offline backbone as a provider of models, and its options by the names of the models. */

import { UsageError } from "../core/errors.ts";
import { isOffline, isSimulated } from "../core/llm/prices.ts";
import type { Provider, ProviderContext } from "../core/llm/provider.ts";
import type { Endpoint } from "../core/llm/roles.ts";
import {
  createOfflineBackbone,
  OFFLINE_RULES,
  type OfflineOptions,
  type Responder,
} from "./backbone.ts";
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

/**
 * Creates the provider of `offline` and its weaker forms (see `offlineSettings`). The seed of an
 * episode's model is its attempt, so that attempts differ; the study's modelOptions hold but for those
 * that the model's name sets.
 *
 * @param options `responders` answer roles of user-defined memories and methods, before the
 *   built-in ones
 */
export function createOfflineProvider(
  options: { readonly responders?: readonly Responder[] } = {},
): Provider {
  const responders = [...offlineResponders, ...options.responders ?? []];
  const settingsOf = (model: string, { attempt, modelOptions }: ProviderContext): OfflineOptions =>
    offlineSettings(model, { ...modelOptions, seed: attempt });
  return {
    id: "offline",
    serves: (model) => isOffline(model) && !isSimulated(model),
    open: (model, _endpoint, context) => {
      const settings = settingsOf(model, context);
      const backbone = createOfflineBackbone({ responders, modelOptions: settings });
      return {
        model: { id: model, chat: (request) => backbone.chat(request) },
        identity: `${model} ${JSON.stringify(settings)}`,
        pure: true,
      };
    },
    check: (model, _endpoint, context) => void settingsOf(model, context),
    ignores: ignored,
    identity: ({ modelOptions }, models) =>
      identityOf(modelOptions, models.map((model) => offlineSettings(model, modelOptions))),
  };
}

/**
 * Creates the provider of simulated players, `sim:<name>`: the stand-in, which uses a fact of its
 * prompt with a chance by NoLiMa's measurements. Errors follow the name, in percent:
 * `sim:99,slipped-action=5`.
 *
 * @param options `responders` answer roles of user-defined memories and methods, before the
 *   built-in ones
 */
export function createSimulatedProvider(
  options: { readonly responders?: readonly Responder[] } = {},
): Provider {
  const responders = [...offlineResponders, ...options.responders ?? []];
  return {
    id: "sim",
    serves: isSimulated,
    open: (model, _endpoint, { attempt, modelOptions }) => {
      const { profile, ...settings } = simulatedSettings(model, { ...modelOptions, seed: attempt });
      const backbone = createOfflineBackbone({
        responders,
        ...settings,
        profile: profile.curve.length === 0 ? undefined : profile,
      });
      return {
        model: { id: model, chat: (request) => backbone.chat(request) },
        identity: `${model} ${
          JSON.stringify(settings.modelOptions)
        } ${SIMULATION_RULES} ${profilesHash()}`,
        pure: true,
      };
    },
    check: (model, _endpoint, { attempt, modelOptions }) =>
      void simulatedSettings(model, { ...modelOptions, seed: attempt }),
    ignores: ignored,
    identity: ({ modelOptions }, models) => ({
      ...identityOf(
        modelOptions,
        models.map((model) => simulatedSettings(model, modelOptions ?? {}).modelOptions),
      ),
      simulationRules: `${SIMULATION_RULES} ${profilesHash()}`,
    }),
  };
}

/**
 * What makes replays of answers differ: the study's modelOptions and the versions of the rules, those of
 * errors where one of the models commits them.
 */
function identityOf(
  modelOptions: OfflineOptions | undefined,
  models: readonly OfflineOptions[],
): Record<string, unknown> {
  const isGarbled = models.some((
    { recall = 1, precision = 1, missedTriplet = 0, wrongTriplet = 0 },
  ) => recall < 1 || precision < 1 || missedTriplet > 0 || wrongTriplet > 0);
  return {
    modelOptions: modelOptions ?? {},
    offlineRules: OFFLINE_RULES,
    ...(isGarbled ? { extractionErrorRules: EXTRACTION_ERROR_RULES } : {}),
  };
}

/**
 * What a model in this process makes nothing of: all but the limit of its answer and whether it is
 * shown pictures.
 */
function ignored(_model: string, endpoint: Endpoint): string[] {
  return Object.keys(endpoint).filter((field) => field !== "maxTokens" && field !== "images");
}

function simulatedSettings(
  model: string,
  given: OfflineOptions,
): { readonly profile: PlayerProfile; readonly modelOptions: OfflineOptions } {
  const [name = "", ...errors] = model.slice("sim:".length).split(",");
  checkModelOptions(given);
  const window = name === PERFECT ? {} : { window: CLAIMED_CONTEXT };
  return {
    profile: profileNamed(name),
    modelOptions: { ...window, ...given, ...parseErrorRates(errors) },
  };
}

/**
 * The options of `offline-weak`: it finds three of five facts, gets one of seven wrong, and reads
 * 2000 tokens. Versioned by `OFFLINE_RULES`.
 */
export const WEAK_OPTIONS = {
  recall: 0.6,
  precision: 0.85,
  window: 2000,
} as const satisfies OfflineOptions;

/**
 * The options that a model's name sets: `offline` has those given, `offline-weak` the weak ones;
 * suffixes set single ones: `-r60` recall and `-p85` precision in per cent, `-w2000` the reading
 * window in tokens.
 *
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
