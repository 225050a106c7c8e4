/** An organization with somebody in each role, and an operator. */
import type { Role } from "@postcode/gateway/ManagementAccess"
import type { Page } from "playwright-core"
import { beforeAll } from "vitest"
import { type OpenOptions, useConsole } from "./ConsolePage.ts"
import type { Person } from "./ConsoleSite.ts"

const names: Readonly<Record<Role, string>> = {
  operator: "Ngozi Eze",
  owner: "Ada Obi",
  developer: "Bisi Adeyemi",
  billing: "Tunde Bello"
}

/**
 * A console as `useConsole` has it, with an organization for the tests of a file.
 *
 * @param standing what operators have set about it, such as `{ granted_level: 3 }`
 */
export const useShop = (standing?: object) => {
  const used = useConsole()
  const people = new Map<Role, Person>()
  let organization = ""

  beforeAll(async () => {
    const { manage, newOrganization, newPerson } = used.site()
    organization = await newOrganization("Shop")
    if (standing !== undefined) await manage("PATCH", `/organizations/${organization}`, standing)
    for (const role of Object.keys(names) as ReadonlyArray<Role>) {
      people.set(role, await newPerson(names[role], role, role === "operator" ? undefined : organization))
    }
  })

  const person = (role: Role): Person => {
    const found = people.get(role)
    if (found === undefined) throw new Error("nobody is there before the tests begin")
    return found
  }
  return {
    ...used,
    organization: () => organization,
    person,
    /** Opens a place as the one in a role, or as somebody else. */
    openAs: (who: Role | Person, place?: string, options?: OpenOptions): Promise<Page> =>
      used.openAs(typeof who === "string" ? person(who) : who, place, options)
  }
}
