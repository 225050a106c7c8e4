import type { Manager } from "@postcode/gateway/ManagementAccess"
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"
import { manageEndUsers } from "@postcode/gateway/widget/endUsers/manageEndUsers"
import { type EndUserRequest, saveEndUser, saveEndUsers } from "@postcode/gateway/widget/endUsers/saveEndUser"
import { Effect, Redacted, Result } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"

type EndUserHandlers = Pick<
  GroupHandlers<"management">,
  "countEndUsers" | "findEndUser" | "getEndUser" | "removeEndUser" | "saveEndUser" | "saveEndUsers"
>

export const endUserHandlers = Effect.gen(function* () {
  const save = yield* saveEndUser
  const saveAll = yield* saveEndUsers
  const manage = yield* manageEndUsers

  const handlers: EndUserHandlers = {
    saveEndUser: ({ manager, payload }) =>
      Effect.map(save(redacted(payload), manager as Manager), (id) => ({ data: { id } })),
    saveEndUsers: ({ manager, payload }) =>
      Effect.map(saveAll(payload.end_users.map(redacted), manager as Manager), (saved) => ({
        data: { results: saved.map(toItem) }
      })),
    countEndUsers: ({ manager }) => Effect.map(manage.count(manager as Manager), (count) => ({ data: { count } })),
    findEndUser: ({ manager, payload }) =>
      Effect.map(manage.find(Redacted.make(payload.identifier), manager as Manager), asData),
    getEndUser: ({ manager, params }) => Effect.map(manage.get(params.id, manager as Manager), asData),
    removeEndUser: ({ manager, params }) => Effect.map(manage.remove(params.id, manager as Manager), asData)
  }
  return handlers
})

interface Sent {
  readonly identifiers: ReadonlyArray<string>
  readonly bookmarks: ReadonlyArray<Bookmark>
}

const redacted = ({ bookmarks, identifiers }: Sent): EndUserRequest => ({
  identifiers: identifiers.map((raw) => Redacted.make(raw)),
  bookmarks
})

const toItem = Result.match({
  onSuccess: (id: string) => ({ id }),
  onFailure: ({ message }: { readonly message: string }) => ({ error: { code: "conflict" as const, message } })
})
