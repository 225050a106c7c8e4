import { may } from "../../state/permissions.ts"
import type { KeyNames } from "./useKeyNames.ts"

export interface KeyNameProps {
  readonly id: string
  readonly names: KeyNames
  readonly organization: string
}

/** A key by its name, or else by its id, and the way to it for whoever may go there. */
export const KeyName = ({ id, names, organization }: KeyNameProps) => {
  const words = names.get(id) ?? <code>{id}</code>
  return may("getKey") ? <a href={`#/organizations/${organization}/keys/${id}`}>{words}</a> : words
}
