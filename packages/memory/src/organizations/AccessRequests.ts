/** Access requests in memory. */
import { notFound } from "@postcode/gateway/Errors"
import { type AccessRequestFilter, AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import {
  type AccessRequest,
  accessRequestDecided,
  accessRequestPending,
  type Organization
} from "@postcode/gateway/organizations/Organization"
import { Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"
import { inRequestedOrder } from "../retention/NewestFirst.ts"

export const layerAccessRequests: Layer.Layer<AccessRequests, never, MemoryState> = Layer.effect(
  AccessRequests,
  Effect.gen(function* () {
    const { organizations } = yield* MemoryState
    const inOrder: Array<AccessRequest> = []
    const indexById = new Map<string, number>()
    /** Organization and level of each pending request. */
    const pending = new Set<string>()

    const create: Service["create"] = (request) => {
      const organization = organizations.get(request.organization_id)
      if (organization === undefined) return Effect.fail(notFound("organization"))
      if (indexById.has(request.id)) return Effect.die(new Error(`the request ${request.id} is there already`))
      if (pending.has(subjectOf(request))) return Effect.fail(accessRequestPending)
      pending.add(subjectOf(request))
      organization.hasRequested = true
      indexById.set(request.id, inOrder.push(request) - 1)
      return Effect.void
    }

    const decide: Service["decide"] = (id, decision) => {
      const index = indexById.get(id) ?? -1
      const request = inOrder[index]
      if (request === undefined) return Effect.fail(notFound("access request"))
      if (request.status !== "pending") return Effect.fail(accessRequestDecided(request.status))
      const decided: AccessRequest = { ...request, ...decision }
      inOrder[index] = decided
      pending.delete(subjectOf(request))
      const organization = organizations.get(request.organization_id)
      if (organization !== undefined && decided.status === "approved") {
        organization.record = raised(organization.record, request, decision.note)
      }
      return Effect.succeed(decided)
    }

    return AccessRequests.of({
      create: (request) => Effect.suspend(() => create(request)),
      list: (filter, page) =>
        Effect.suspend(() =>
          inRequestedOrder(inOrder.length, (index) => passed(inOrder[index] as AccessRequest, filter), page)
        ),
      decide: (id, decision) => Effect.suspend(() => decide(id, decision)),
      waiting: () =>
        Effect.sync(() => {
          const requested = inOrder.filter(({ status }) => status === "pending").map(({ created_at }) => created_at)
          const submitted = [...organizations.values()]
            .filter(({ record }) => record.kyb_status === "pending")
            .map(({ record }) => record.kyb_submission?.submitted_at ?? record.created_at)
          const times = [...requested, ...submitted].sort()
          return { count: times.length, oldest_at: times[0] }
        })
    })
  })
)

type Service = AccessRequests["Service"]

const passed = (request: AccessRequest, { organization_id, status }: AccessRequestFilter): AccessRequest | undefined =>
  (organization_id === undefined || request.organization_id === organization_id) &&
  (status === undefined || request.status === status)
    ? request
    : undefined

const subjectOf = ({ level, organization_id }: AccessRequest): string => `${level} ${organization_id}`

const raised = (organization: Organization, { level }: AccessRequest, review_note: string): Organization => ({
  ...organization,
  granted_level: level > organization.granted_level ? level : organization.granted_level,
  review_note
})
