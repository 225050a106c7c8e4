import { useLoad } from "../../hooks/useLoad.ts"
import { may } from "../../state/permissions.ts"

/** The names of keys by id. */
export type KeyNames = ReadonlyMap<string, string>

/** Empty without permission to list keys. With very many keys, only the newest are resolved. */
export const useKeyNames = (organization: string | undefined): KeyNames => {
  const { data } = useLoad(
    "GET /v1/admin/organizations/:id/keys",
    organization !== undefined && may("listKeys") ? { params: { id: organization }, query: { limit: 100 } } : undefined
  )
  return new Map(data?.keys.map(({ id, name }) => [id, name]))
}
