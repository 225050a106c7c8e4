import { useLoad } from "../../hooks/useLoad.ts"

/** The names of organizations by id. In an instance with very many, only the newest are resolved. */
export const useOrganizationNames = (isNeeded: boolean): ReadonlyMap<string, string> => {
  const { data } = useLoad("GET /v1/admin/organizations", isNeeded ? { query: { limit: 100 } } : undefined)
  return new Map(data?.organizations.map(({ id, name }) => [id, name]))
}
