/** The entries of the command palette for a typed text. */
import { useLoad } from "../hooks/useLoad.ts"
import { organizationId } from "../state/organization.ts"
import { isOperator, may } from "../state/permissions.ts"
import { isMatch, localTargets, type Target } from "./targets.ts"

/** The entries, the most specific first, and whether more are loading. */
export const useTargets = (text: string, searched: string) => {
  const id = organizationId.value
  const keys = useLoad(
    "GET /v1/admin/organizations/:id/keys",
    id !== undefined && may("listKeys") ? { params: { id }, query: { limit: 100 } } : undefined
  )
  const organizations = useLoad(
    "GET /v1/admin/organizations",
    isOperator() && searched !== "" ? { query: { name: searched, limit: 5 } } : undefined
  )
  const targets: ReadonlyArray<Target> = [
    ...localTargets(text),
    ...(text === "" ? [] : (keys.data?.keys ?? []))
      .filter(({ id, name, prefix }) => isMatch(text, `${name} ${prefix} ${id}`))
      .slice(0, 5)
      .map(({ id: key, name, prefix }) => ({
        id: key,
        kind: "Key" as const,
        label: name,
        detail: `${prefix}…`,
        place: `/organizations/${id}/keys/${key}`
      })),
    ...(organizations.data?.organizations ?? []).map(({ id, name }) => ({
      id,
      kind: "Organization" as const,
      label: name,
      detail: id,
      place: `/organizations/${id}`
    }))
  ]
  return { targets, isLoading: isOperator() && text !== "" && (text !== searched || organizations.isLoading) }
}
