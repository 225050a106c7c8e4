/** An organization that asks for things, and the operator who decides on them. */
import type { Page } from "playwright-core"
import { beforeAll, beforeEach } from "vitest"
import { useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"

/** For the tests of a file: each has an organization of its own, and names that no other test has. */
export const useReviews = () => {
  const { openAs, site } = useConsole()
  let operator: Person
  let organization: string
  let scenes = 0

  beforeAll(async () => {
    operator = await site().newPerson("Ngozi Eze", "operator")
  })
  beforeEach(async () => {
    scenes++
    organization = await newOrganization("Shop")
  })

  const names = (name: string) => `${name} ${scenes}`
  const newOrganization = (name: string): Promise<string> => site().newOrganization(names(name))
  const submit = (id: string) => site().manage("POST", `/organizations/${id}/kyb`, business)
  const askFor = (level: number, id = organization) =>
    site().manage<Asked>("POST", `/organizations/${id}/access-requests`, { level, reason: "For tests" })
  const known = (id = organization) => site().manage<Record<string, unknown>>("GET", `/organizations/${id}`)
  const member = (role: Person["role"]) => site().newPerson(names(role), role, organization)

  /** What other tests left waiting. */
  const decideAll = async (): Promise<void> => {
    const { manage } = site()
    const { organizations } = await manage<{ readonly organizations: ReadonlyArray<Asked> }>(
      "GET",
      "/organizations?kyb_status=pending"
    )
    for (const { id } of organizations) await manage("PATCH", `/organizations/${id}`, { kyb_status: "verified" })
    const { access_requests } = await manage<{ readonly access_requests: ReadonlyArray<Asked> }>(
      "GET",
      "/access-requests?status=pending"
    )
    const decision = { decision: "rejected", note: "Left over" }
    for (const { id } of access_requests) await manage("POST", `/access-requests/${id}/decision`, decision)
  }
  return {
    ...{ askFor, decideAll, known, member, names, newOrganization, openAs, site, submit },
    operator: () => operator,
    organization: () => organization,
    /** The places where it asks, and where the operator manages it. */
    verification: () => `/organizations/${organization}/verification`,
    management: () => `/organizations/${organization}/manage`
  }
}

interface Asked {
  readonly id: string
}

const business = { business_name: "Shop Ltd", registration_number: "RC 1234567" }

export const part = (page: Page, name: string) => page.getByRole("region", { name })
export const hasFocus = (page: Page, label: string) =>
  page.getByLabel(label).evaluate((element) => element === document.activeElement)
