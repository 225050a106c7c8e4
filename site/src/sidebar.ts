/** The navigation beside a page. */
import type { StarlightUserConfig } from "@astrojs/starlight/types"
import type { Entry, Section } from "./contents.ts"
import { idOf } from "./pages.ts"

type SidebarItem = NonNullable<StarlightUserConfig["sidebar"]>[number]

/** One group for each section. An entry that lists others is a group as well, closed until one is in it. */
export const sidebarOf = (contents: ReadonlyArray<Section>): Array<SidebarItem> =>
  contents.map(({ entries, title }) => ({ label: title, items: entries.map(itemOf) }))

const itemOf = (entry: Entry): SidebarItem => {
  const page = { label: entry.label, slug: idOf(entry.file) }
  if (entry.below.length === 0) return page
  return { label: entry.label, collapsed: true, items: [page, ...entry.below.flatMap(itemsOf)] }
}

const itemsOf = ({ entries, title }: Section): ReadonlyArray<SidebarItem> =>
  title === "" ? entries.map(itemOf) : [{ label: title, collapsed: true, items: entries.map(itemOf) }]
