import { manageEndUsers } from "@postcode/core/operations/manageEndUsers"
import { type EndUserRequest, saveEndUser, saveEndUsers } from "@postcode/core/operations/saveEndUser"
import type { Bookmark } from "@postcode/core/ports/EndUsers"
import { Effect, Redacted, Result } from "effect"
import type { GroupHandlers } from "../Handler.ts"

type EndUserHandlers = Pick<
  GroupHandlers<"management">,
  "countEndUsers" | "findEndUser" | "getEndUser" | "removeEndUser" | "saveEndUser" | "saveEndUsers"
>

/** @param actor who acts, in the audit log */
export const endUserHandlers = (actor: string) =>
  Effect.gen(function* () {
    const save = yield* saveEndUser
    const saveAll = yield* saveEndUsers
    const manage = yield* manageEndUsers

    const handlers: EndUserHandlers = {
      saveEndUser: ({ payload }) => Effect.map(save(redacted(payload), actor), (id) => ({ data: { id } })),
      saveEndUsers: ({ payload }) =>
        Effect.map(saveAll(payload.end_users.map(redacted), actor), (saved) => ({
          data: { results: saved.map(toItem) }
        })),
      countEndUsers: () => Effect.map(manage.count(), (count) => ({ data: { count } })),
      findEndUser: ({ payload }) => Effect.map(manage.find(Redacted.make(payload.identifier)), asData),
      getEndUser: ({ params }) => Effect.map(manage.get(params.id), asData),
      removeEndUser: ({ params }) => Effect.map(manage.remove(params.id, actor), asData)
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

const asData = <A>(data: A) => ({ data })
