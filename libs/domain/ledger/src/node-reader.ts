import { type NodeId, planConsistency, planInclusion, planRoot } from '@answer-evidence/merkle';

/** Reads hashes of perfect subtrees of a log, in the order asked. All of them lie within the committed tree. */
export type NodeReader = (nodes: readonly NodeId[]) => Promise<readonly Uint8Array[]>;

/** The inclusion proofs of leaves at one tree size; a node that several need is read once. */
export async function readInclusionProofs(
  read: NodeReader,
  indexes: readonly number[],
  size: number,
): Promise<readonly (readonly Uint8Array[])[]> {
  const plans = indexes.map((index) => planInclusion(index, size));
  const distinct = new Map<string, NodeId>();
  for (const plan of plans) for (const node of plan.nodes) distinct.set(`${node.level}/${node.index}`, node);
  const hashes = await read([...distinct.values()]);
  const found = new Map([...distinct.keys()].map((name, n) => [name, hashes[n] ?? new Uint8Array()]));
  return plans.map((plan) =>
    plan.fold(plan.nodes.map((node) => found.get(`${node.level}/${node.index}`) ?? new Uint8Array())),
  );
}

/** The consistency proof from one tree size to a later one. */
export async function readConsistencyProof(
  read: NodeReader,
  size1: number,
  size2: number,
): Promise<readonly Uint8Array[]> {
  const plan = planConsistency(size1, size2);
  return plan.fold(await read(plan.nodes));
}

/** The root of the tree at a size up to the committed one. */
export async function readRoot(read: NodeReader, size: number): Promise<Uint8Array> {
  const plan = planRoot(size);
  const [root] = plan.fold(await read(plan.nodes));
  if (root === undefined) throw new Error('a tree has a root at every size');
  return root;
}
