// groups: items under headings. Pure.

/** In the order of `titles`, without empty groups. */
export function inGroups<Id extends string, Item>(
  titles: Readonly<Record<Id, string>>,
  items: readonly Item[],
  groupOf: (item: Item) => Id,
): { id: Id; title: string; items: Item[] }[] {
  const groups = Map.groupBy(items, groupOf);
  return (Object.keys(titles) as Id[]).flatMap((id) => {
    const found = groups.get(id);
    return found === undefined ? [] : [{ id, title: titles[id], items: found }];
  });
}
