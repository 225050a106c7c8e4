/** Names of the actors in the audit log. */
import { useLoad } from "../../hooks/useLoad.ts"
import { may } from "../../state/permissions.ts"
import { account } from "../../state/session.ts"
import { useKeyNames } from "../usage/useKeyNames.ts"

/** Names by the ids of accounts, keys and management keys, and of actors without an id. */
export type People = ReadonlyMap<string, string>

/** @param organization its members are resolved; undefined to resolve only operators */
export const useActorNames = (organization: string | undefined): People => {
  const query = { limit: 100 }
  const members = useLoad(
    "GET /v1/admin/organizations/:id/members",
    organization === undefined ? undefined : { params: { id: organization }, query }
  )
  const operators = useLoad("GET /v1/admin/operators", may("listOperators") ? { query } : undefined)
  const keys = useKeyNames(organization)
  const managementKeys = useLoad(
    "GET /v1/admin/organizations/:id/management-keys",
    organization !== undefined && may("listManagementKeys") ? { params: { id: organization }, query } : undefined
  )
  const known = [...(members.data?.accounts ?? []), ...(operators.data?.accounts ?? [])]
  return new Map([
    ...known.map(({ id, name }) => [id, id === account.value?.id ? `${name} (you)` : name] as const),
    ["operator", "An operator (by API)"],
    ["nobody", "Someone who is not signed in"],
    ["command", "A command on the database"],
    ["service", "The service itself"],
    ...[...keys].map(([id, name]) => [id, `Key “${name}”`] as const),
    ...(managementKeys.data?.management_keys ?? []).map(({ id, name }) => [id, `Management key “${name}”`] as const)
  ])
}

/** The name of an account, or its id if the name is unknown. */
export const nameOf = (id: string, people: People): string => people.get(id) ?? id
