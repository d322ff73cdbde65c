import * as z from 'zod';
import * as contracts from '@answer-evidence/contracts';
import { addition, breaking, type Change, type JsonNode, nodeOf } from './changes.ts';
import { compareSchemas } from './compare-schemas.ts';

/** Shapes, as they are stored, that are kept for years: in leaves, in bundles, in files of verifiers. */
export function createStoredShapes(): JsonNode {
  const cores = Object.entries(contracts).filter(([name]) => /^[a-z]\w*Core$/.test(name));
  const {
    ledgerEntry,
    proofBundle,
    withheldBundle,
    trustFile,
    reconciliationProof,
    recordSetLine,
    reconciliationFinding,
  } = contracts;
  const files = { proofBundle, withheldBundle, trustFile, reconciliationProof, recordSetLine, reconciliationFinding };
  const shapes = Object.entries({ ledgerEntry, ...files, ...Object.fromEntries(cores) });
  return Object.fromEntries(
    shapes.flatMap(([name, shape]) =>
      shape instanceof z.ZodType ? [[name, z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' })]] : [],
    ),
  );
}

/** Every difference between two sets of stored shapes. */
export function compareStoredShapes(before: JsonNode, after: JsonNode): readonly Change[] {
  return [
    ...Object.keys(before).flatMap((name) => {
      if (!(name in after)) return [breaking(name, 'is gone')];
      const old = nodeOf(before, name);
      const now = nodeOf(after, name);
      return compareSchemas({ direction: 'stored', before: old, after: now }, old, now, name);
    }),
    ...Object.keys(after)
      .filter((name) => !(name in before))
      .map((name) => addition(name, 'is new')),
  ];
}
