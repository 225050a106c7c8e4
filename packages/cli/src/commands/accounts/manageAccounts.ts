/** `postcode members`, `operators` and `invitations`. */
import type { Account, Invitation } from "@postcode/core/Account"
import type { MemberRole } from "@postcode/core/ManagementAccess"
import { Effect } from "effect"
import { commandName } from "../../CommandName.ts"
import type { CommandFailure } from "../../ExitCode.ts"
import { type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { fetchPages, type PageOptions, printNextPageHint } from "../../management/Pages.ts"
import { say, writeData, writeJson } from "../../Output.ts"
import { record, table } from "../../Table.ts"

interface InviteOptions extends ManagementOptions {
  /** The email address of the account. */
  readonly email: string
  /** The origin of the console; the service's own address if undefined. */
  readonly consoleUrl: string | undefined
}

/** `postcode members list` */
export const listMembers = (
  input: ManagementOptions & PageOptions & { readonly organization: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) =>
      fetchPages("accounts", input, (query) =>
        Effect.map(api.listMembers({ params: { id: input.organization }, query }), ({ data }) => data)
      )
    ),
    (page) =>
      printAccounts(
        input,
        page,
        `nobody yet: ${commandName()} members invite ${input.organization} --role owner --email ADDRESS`
      )
  )

/** `postcode operators list` */
export const listOperators = (input: ManagementOptions & PageOptions): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) =>
      fetchPages("accounts", input, (query) => Effect.map(api.listOperators({ query }), ({ data }) => data))
    ),
    (page) =>
      printAccounts(
        input,
        page,
        `nobody yet: ${commandName()} operators invite --email ADDRESS makes a link for the first one`
      )
  )

/** `postcode members invite` */
export const inviteMember = (
  input: InviteOptions & { readonly organization: string; readonly role: MemberRole }
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) =>
      api.inviteMember({ params: { id: input.organization }, payload: { role: input.role, email: input.email } })
    ),
    ({ data }) => printLink(input, data)
  )

/** `postcode operators invite` */
export const inviteOperator = (input: InviteOptions): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) => api.inviteOperator({ payload: { email: input.email } })),
    ({ data }) => printLink(input, data)
  )

/** `postcode members role` */
export const changeRole = (
  input: ManagementOptions & { readonly account: string; readonly role: MemberRole }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { account, role } = input
    const { data } = yield* manage(input, (api) => api.changeRole({ params: { id: account }, payload: { role } }))
    if (input.json) return yield* writeJson(data)
    yield* writeData(
      record([
        ["id", data.id],
        ["email", data.email],
        ["name", data.name],
        ["role", data.role],
        ["organization", data.organization_id],
        ["created", data.created_at]
      ])
    )
  })

/** `postcode members remove` */
export const removeAccount = (
  input: ManagementOptions & { readonly account: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) => api.removeAccount({ params: { id: input.account } })),
    ({ data }) => (input.json ? writeJson(data) : writeData(record([["removed", data.id]])))
  )

/** `postcode invitations list` */
export const listInvitations = (
  input: ManagementOptions & PageOptions & { readonly organization: string | undefined }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { organization } = input
    const page = yield* manage(input, (api) =>
      fetchPages("invitations", input, (query) =>
        Effect.map(
          organization === undefined
            ? api.listOperatorInvitations({ query })
            : api.listInvitations({ params: { id: organization }, query }),
          ({ data }) => data
        )
      )
    )
    if (input.json) return yield* writeJson(page)
    if (page.invitations.length === 0) return say("no invitation is open")
    yield* writeData(
      table<Omit<Invitation, "is_claim">>(
        [
          { title: "ID", cell: ({ id }) => id },
          { title: "EMAIL", cell: ({ email = "" }) => email },
          { title: "ROLE", cell: ({ role }) => role },
          { title: "BY", cell: ({ created_by }) => created_by },
          { title: "CREATED", cell: ({ created_at }) => created_at },
          { title: "EXPIRES", cell: ({ expires_at }) => expires_at }
        ],
        page.invitations
      )
    )
    printNextPageHint(page.next_cursor)
  })

/** `postcode invitations withdraw` */
export const withdrawInvitation = (
  input: ManagementOptions & { readonly invitation: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.flatMap(
    manage(input, (api) => api.withdrawInvitation({ params: { id: input.invitation } })),
    ({ data }) => (input.json ? writeJson(data) : writeData(record([["withdrawn", data.id]])))
  )

/** Only the link goes to standard output: it is a secret that no other response contains. */
const printLink = (
  { consoleUrl, json, url }: InviteOptions,
  invitation: Omit<Invitation, "is_claim"> & { readonly token: string }
): Effect.Effect<void> => {
  const link = `${consoleUrl ?? url}/console/#join=${invitation.token}`
  if (json) return writeJson({ ...invitation, link })
  const { email, expires_at, id, role } = invitation
  say(`invitation ${id} of ${email} for the role ${role}, until ${expires_at}; the link is shown this once:`)
  return writeData(`${link}\n`)
}

const printAccounts = (
  { json }: ManagementOptions,
  page: { readonly accounts: ReadonlyArray<Account>; readonly next_cursor: string | null },
  whenEmpty: string
): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (json) return yield* writeJson(page)
    if (page.accounts.length === 0) return say(whenEmpty)
    yield* writeData(
      table<Account>(
        [
          { title: "ID", cell: ({ id }) => id },
          { title: "NAME", cell: ({ name }) => name },
          { title: "EMAIL", cell: ({ email }) => email },
          { title: "ROLE", cell: ({ role }) => role },
          { title: "CREATED", cell: ({ created_at }) => created_at }
        ],
        page.accounts
      )
    )
    printNextPageHint(page.next_cursor)
  })
