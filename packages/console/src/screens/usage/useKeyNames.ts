import { useLoad } from "../../hooks/useLoad.ts"
import { may } from "../../state/permissions.ts"

/** The names of keys by their ids. */
export type KeyNames = ReadonlyMap<string, string>

/**
 * Nothing to whoever may not see keys. Of an organization with very many keys, the newest ones alone have their names.
 */
export const useKeyNames = (organization: string | undefined): KeyNames => {
  const { data } = useLoad(
    "GET /v1/admin/organizations/:id/keys",
    organization !== undefined && may("listKeys") ? { params: { id: organization }, query: { limit: 100 } } : undefined
  )
  return new Map(data?.keys.map(({ id, name }) => [id, name]))
}
