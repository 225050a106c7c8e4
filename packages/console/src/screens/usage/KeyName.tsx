import { may } from "../../state/permissions.ts"
import type { KeyNames } from "./useKeyNames.ts"

export interface KeyNameProps {
  readonly id: string
  readonly names: KeyNames
  readonly organization: string
}

/** A key's name or else its id, linked if the account may open it. */
export const KeyName = ({ id, names, organization }: KeyNameProps) => {
  const words = names.get(id) ?? <code>{id}</code>
  return may("getKey") ? <a href={`#/organizations/${organization}/keys/${id}`}>{words}</a> : words
}
