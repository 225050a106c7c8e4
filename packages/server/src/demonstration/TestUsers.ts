/** The fictitious end users of the demonstration, whose identifiers its page shows. */
import type { Directory } from "@postcode/core/Directory"
import type { TestUser } from "@postcode/demo/page"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"
import { saveEndUser } from "@postcode/gateway/widget/endUsers/saveEndUser"
import { Effect, Redacted } from "effect"
import type { OpenedDirectory } from "../directory/openDirectory.ts"
import { sampleUnit } from "./SampleUnit.ts"

/** One with bookmarks, one without, and one that is unknown. */
export const makeTestUsers = (
  directory: Directory,
  attributesOf: OpenedDirectory["attributesOf"]
): readonly [TestUser, ...ReadonlyArray<TestUser>] => {
  const bookmark = (label: string, from: string): Bookmark => ({
    label,
    postcode: sampleUnit(directory, attributesOf, from).postcode
  })
  return [
    {
      name: "Amaka",
      identifiers: ["amaka@example.com", "12345678901"],
      bookmarks: [bookmark("Home", "LA-11"), bookmark("Shop", "KN"), bookmark("Mother", "EN")]
    },
    { name: "Bala", identifiers: ["bala@example.com", "10987654321"], bookmarks: [] },
    { name: "Chidi", identifiers: ["chidi@example.com"], bookmarks: undefined }
  ]
}

/** Stores the accounts of the known users. */
export const saveTestUsers = (people: ReadonlyArray<TestUser>, manager: Manager) =>
  Effect.flatMap(saveEndUser, (save) =>
    Effect.forEach(
      people,
      ({ bookmarks, identifiers }) =>
        bookmarks === undefined
          ? Effect.void
          : save({ identifiers: identifiers.map((text) => Redacted.make(text)), bookmarks }, manager),
      { discard: true }
    )
  )
