/** Items by a key of theirs, in their order. */
export const groupBy = <A, Key>(items: ReadonlyArray<A>, keyOf: (item: A) => Key): Map<Key, ReadonlyArray<A>> => {
  const groups = new Map<Key, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
