/** The access table of the management API, in core: the service is tested cell by cell against it. */
import {
  isManagementKey,
  type ManagementCall,
  type ManagerKind,
  type MemberRole,
  managementAccess,
  managerKinds,
  roleOf
} from "@postcode/gateway/ManagementAccess"
import { describe, expect, it } from "vitest"
import { fromOwnPage } from "../../world/Operator.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import type { Message } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { type Endpoint, endpoints } from "../Contract.ts"
import { expectFailure, outcomeOf, type Received } from "../Received.ts"
import { makeScene, preparePerson, type Scene, sampleMessage, samples } from "../Samples.ts"

/** An account that acts in no organization has tests of its own: see `memberships`. */
type Kind = Exclude<ManagerKind, "account"> | "nobody"

const isTested = (kind: ManagerKind | "nobody"): kind is Kind => kind !== "account"
const testedKinds = managerKinds.filter((kind) => kind !== "account")

const calls = endpoints.filter(({ path }) => path.startsWith("/v1/admin"))
/** Anybody may make them: what a program that has no key yet sends. See `deviceLogins`. */
const callsOfOauth = endpoints.filter(({ isOAuth }) => isOAuth)
const callOf = ({ operation }: Endpoint): ManagementCall => operation.split(".")[1] as ManagementCall
const rowOf = (endpoint: Endpoint): ReadonlyArray<Kind> =>
  (managementAccess[callOf(endpoint)] as ReadonlyArray<ManagerKind | "nobody">).filter(isTested)

export const managementTable = (world: World): void => {
  describe("access to management calls", () => {
    it("each call of the management API has one row of the table, and each row has a call", () => {
      expect([...calls, ...callsOfOauth].map(callOf).toSorted()).toEqual(Object.keys(managementAccess).toSorted())
    })

    for (const endpoint of calls) {
      it(`${endpoint.operation}: ${rowOf(endpoint).join(", ")}, on their own resources, and no other role`, async () => {
        for (const kind of rowOf(endpoint)) await expectAllowed(world, endpoint, kind)
        await expectOthersRefused(world, endpoint)
      })
    }

    const withResources = calls.filter(
      (endpoint) => samples[endpoint.operation].id !== undefined && rowOf(endpoint).includes("token")
    )
    for (const endpoint of withResources) {
      it(`${endpoint.operation} on resources of another organization answers as for an unknown id`, async () => {
        await expectUnknown(world, endpoint)
      })
    }

    listsOfMembers(world)
  })
}

/** A caller in a role, and the headers of its requests. */
const callerIn = async ({ operator }: World, kind: Kind, organization: string): Promise<Person> => {
  if (kind === "nobody") return { headers: fromOwnPage }
  if (kind === "token") return { headers: { authorization: `Bearer ${operatorToken}` } }
  if (isManagementKey(kind)) {
    const { secret } = await operator.managementKey(roleOf(kind) as MemberRole, organization)
    return { headers: { authorization: `Bearer ${secret}` } }
  }
  const account = await operator.account(kind, organization)
  return { headers: account.headers, account }
}

interface Person {
  readonly headers: Readonly<Record<string, string>>
  readonly account?: Scene["person"]
}

/** The sample of an endpoint with the headers of a caller. */
const messageOf = ({ operation }: Endpoint, scene: Scene, { account, headers }: Person): Message => {
  const { token: _, ...sample } = sampleMessage(operation, { ...scene, person: account ?? scene.person })
  const { cookie, ...own } = sample.headers ?? {}
  return { ...sample, headers: { ...own, ...headers } }
}

/** Each call has its own scene, because a success changes it. */
const expectAllowed = async (world: World, endpoint: Endpoint, kind: Kind): Promise<void> => {
  const scene = await makeScene(world.operator, endpoint.operation)
  world.client.newVisitor()
  const person = await callerIn(world, kind, scene.organization)
  const ready = await preparePerson(world.operator, endpoint.operation, person.account ?? scene.person)
  const message = messageOf(endpoint, { ...scene, ...ready }, person)
  expect(outcomeOf(await world.client.send(message)), kind).toBe(String(endpoint.successStatus))
}

const expectOthersRefused = async (world: World, endpoint: Endpoint): Promise<void> => {
  const scene = await makeScene(world.operator, endpoint.operation)
  const kinds: ReadonlyArray<Kind> = ["nobody", ...testedKinds]
  for (const kind of kinds.filter((kind) => !rowOf(endpoint).includes(kind))) {
    const received = await world.client.send(
      messageOf(endpoint, scene, await callerIn(world, kind, scene.organization))
    )
    expectFailure(received, kind === "nobody" ? "401 auth_required" : "403 insufficient_scope")
  }
}

/** A role without access gets that error for any id; all others get exactly the answer for an unknown id. */
const expectUnknown = async (world: World, endpoint: Endpoint): Promise<void> => {
  const scene = await makeScene(world.operator, endpoint.operation)
  const elsewhere = await world.operator.organization()
  const { id = "organization" } = samples[endpoint.operation]
  for (const kind of testedKinds.filter((kind) => roleOf(kind) !== "operator")) {
    const person = await callerIn(world, kind, elsewhere)
    const theirs = await world.client.send(messageOf(endpoint, scene, person))
    const none = await world.client.send(messageOf(endpoint, { ...scene, [id]: "none" }, person))
    expectFailure(theirs, rowOf(endpoint).includes(kind) ? "404 not_found" : "403 insufficient_scope")
    expect(theirs.text).toBe(none.text)
  }
  // Nothing has changed.
  const received = await world.client.send(messageOf(endpoint, scene, await callerIn(world, "token", "")))
  expect(outcomeOf(received)).toBe(String(endpoint.successStatus))
}

const listsOfMembers = (world: World): void => {
  it("the lists of a member contain only items of their own organization", async () => {
    const own = await makeScene(world.operator)
    const other = await makeScene(world.operator)
    for (const kind of ["owner", "owner_key"] as const) {
      const { headers } = await callerIn(world, kind, own.organization)
      const list = (target: string): Promise<Received> => world.client.get(target, { headers })
      for (const target of ["/v1/admin/organizations", "/v1/admin/access-requests", "/v1/admin/audit"]) {
        const { text } = await list(`${target}?limit=100`)
        expect(text).toContain(own.organization)
        expect(text).not.toContain(other.organization)
        const ids = [...text.matchAll(/"organization_id":"(\w+)"/g)].map(([, id]) => id)
        expect(new Set(ids).size, target).toBeLessThanOrEqual(1)
      }
      const asked = await list(`/v1/admin/audit?organization_id=${other.organization}`)
      expect(asked.text).toBe((await list("/v1/admin/audit?organization_id=org_none")).text)
      expect(asked.text).toContain('"events":[]')
      expect((await list(`/v1/admin/audit?organization_id=${own.organization}`)).text).toContain(own.key)
    }
  })
}
