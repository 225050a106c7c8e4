import type { DataOf } from "../../client/Contract.ts"
import { Amount } from "../../kit/data/Amount.tsx"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Facts } from "../../kit/data/Facts.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { may } from "../../state/permissions.ts"
import { call } from "../../state/session.ts"

/** An end user in the service's responses. */
export type EndUser = DataOf<"POST /v1/admin/end-users/find">

export interface EndUserSectionProps {
  readonly endUser: EndUser
  /** Called after the end user was removed. */
  readonly onRemoved: () => void
}

/** The stored data of an end user. */
export const EndUserSection = ({ endUser: { bookmarks, id, identifiers }, onRemoved }: EndUserSectionProps) => (
  <Section
    title="Found"
    actions={
      may("removeEndUser") && (
        <Button kind="danger" onClick={() => remove(id, onRemoved)}>
          Remove
        </Button>
      )
    }
  >
    <Facts
      facts={[
        ["Id", <Copyable key="id" value={id} label="id" isNamed />],
        ["Identifiers", <Amount key="identifiers" value={identifiers} unit="stored as hashes" />]
      ]}
    />
    <Table
      caption="Bookmarks"
      rows={bookmarks.map((bookmark, at) => ({ ...bookmark, at }))}
      keyOf={({ at }) => String(at)}
      empty={<p>No bookmarks.</p>}
      columns={[
        { head: "Bookmark", cell: ({ label }) => label },
        { head: "Postcode", cell: ({ postcode }) => <code>{postcode}</code> }
      ]}
    />
  </Section>
)

const remove = (id: string, onRemoved: () => void) =>
  openDialog(
    <ConfirmDialog
      title="Remove this end user?"
      confirm="Remove end user"
      typed="remove"
      onConfirm={async () => {
        await call("DELETE /v1/admin/end-users/:id", { params: { id } })
        onRemoved()
        return "The end user was removed"
      }}
    >
      <p>
        This deletes the bookmarks and hashes of the end user. It cannot be undone. To forget a person completely,
        search for the identifier again until nothing is found.
      </p>
    </ConfirmDialog>
  )
