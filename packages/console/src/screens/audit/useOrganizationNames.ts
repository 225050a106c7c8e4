import { useLoad } from "../../hooks/useLoad.ts"

/** The names of organizations by their ids. Of an instance with very many organizations, the newest ones alone have their names. */
export const useOrganizationNames = (isNeeded: boolean): ReadonlyMap<string, string> => {
  const { data } = useLoad("GET /v1/admin/organizations", isNeeded ? { query: { limit: 100 } } : undefined)
  return new Map(data?.organizations.map(({ id, name }) => [id, name]))
}
