export interface Reached<Node, Label> {
  readonly node: Node;
  readonly path: readonly Label[];
}

/**
 * Yields nodes in breadth-first order, the start first; edges of a node are requested after it.
 * @param keyOf what makes two nodes the same
 */
export function* breadthFirst<Node, Label>(
  start: Node,
  edgesOf: (node: Node) => Iterable<readonly [label: Label, to: Node]>,
  keyOf: (node: Node) => unknown = (node) => node,
): Generator<Reached<Node, Label>> {
  const queue: Reached<Node, Label>[] = [{ node: start, path: [] }];
  const seen = new Set([keyOf(start)]);
  for (const reached of queue) {
    yield reached;
    for (const [label, node] of edgesOf(reached.node)) {
      if (seen.has(keyOf(node))) continue;
      seen.add(keyOf(node));
      queue.push({ node, path: [...reached.path, label] });
    }
  }
}
