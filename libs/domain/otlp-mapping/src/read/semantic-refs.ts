import type { JsonObject } from '@answer-evidence/contracts';
import { EVALUATION_RULES } from '../dialects/ref-rules.ts';
import { MODEL_RULES } from '../dialects/tables.ts';
import { isAttributeList } from '../item/attribute-lookup.ts';
import type { AttributeValue, OtlpItem } from '../item/otlp-item.ts';
import type { Place } from './places.ts';
import { findLabel, findScore, look, withoutAbsent } from './ref-parts.ts';
import { findToolRefs } from './tool-refs.ts';

/** Most reasons for which a model stopped: one for each choice. */
const FINISH_REASONS_MAX = 16;

/** Attributes that name a model. */
const KEYS_OF_MODELS: ReadonlySet<string> = new Set([...MODEL_RULES.request_model, ...MODEL_RULES.response_model]);

/** Says which model answered, or undefined where no model is named, as by an agent or a tool. */
function findModelRef(places: readonly Place[]): JsonObject | undefined {
  if (!places.some(({ lookup }) => lookup.hasAnyOf(KEYS_OF_MODELS))) return undefined;
  const find = (keys: readonly string[]): AttributeValue | undefined => {
    for (const place of places) {
      const value = look(place, keys);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const model = {
    operation: findLabel(find(MODEL_RULES.operation)),
    provider: findLabel(find(MODEL_RULES.provider)),
    request_model: findLabel(find(MODEL_RULES.request_model)),
    response_model: findLabel(find(MODEL_RULES.response_model)),
    finish_reasons: findReasons(find(MODEL_RULES.finish_reasons)),
  };
  if (model.request_model === undefined && model.response_model === undefined) return undefined;
  return withoutAbsent({ ref_type: 'model', ...model });
}

/** What an item says of the model, of judgements and of tools. */
export function findSemanticRefs(item: OtlpItem, places: readonly Place[]): readonly JsonObject[] {
  const model = findModelRef(places);
  return [...(model === undefined ? [] : [model]), ...findEvaluationRefs(places), ...findToolRefs(item, places)];
}

function findReasons(value: AttributeValue | undefined): readonly string[] | undefined {
  const list = value === undefined ? [] : isAttributeList(value) ? value : [value];
  const reasons = list.slice(0, FINISH_REASONS_MAX).flatMap((reason) => findLabel(reason) ?? []);
  return reasons.length === 0 ? undefined : reasons;
}

/** Says how an answer was judged, for each event that judges one. */
function findEvaluationRefs(places: readonly Place[]): readonly JsonObject[] {
  return places.flatMap((place): readonly JsonObject[] => {
    if (place.event !== EVALUATION_RULES.event) return [];
    const name = findLabel(look(place, [EVALUATION_RULES.name]));
    if (name === undefined) return [];
    return [
      withoutAbsent({
        ref_type: 'evaluation',
        name,
        score_value: findScore(look(place, [EVALUATION_RULES.score_value])),
        score_label: findLabel(look(place, [EVALUATION_RULES.score_label])),
        response_id: findLabel(look(place, [EVALUATION_RULES.response_id])),
      }),
    ];
  });
}
