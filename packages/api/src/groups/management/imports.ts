/** Imports of a new edition of the directory, for operators: its files are uploaded, checked, and made current. */
import { type FindingKind, findingKinds, unitColumns } from "@postcode/core/Csv"
import {
  type ImportFileName,
  importFileNames,
  importPhases,
  importSteps
} from "@postcode/gateway/directory/imports/DirectoryImports"
import { importLimits } from "@postcode/gateway/InputLimits"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { LongBody } from "../../access.ts"
import { Data, Timestamp } from "../../answers.ts"
import { documented } from "../../documented.ts"
import { failures } from "../../errors.ts"
import { byId, byIdWithBodyOrConflict } from "../../oneResource.ts"
import { Day, oneOf, Text } from "../../parameters.ts"

const optional = Schema.optionalKey
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Share = Schema.Finite

/** What a look at a directory found, by kind. */
export const DirectoryWarning = Schema.Struct({
  kind: Schema.Literals(Object.keys(findingKinds) as ReadonlyArray<FindingKind>),
  meaning: Schema.String,
  count: Count,
  first: Schema.Array(
    Schema.Struct({
      line: optional(Schema.Int.annotate({ description: "The line of `units.csv`." })),
      postcode: optional(Schema.String),
      detail: Schema.String.annotate({ description: "Such as a distance; empty if the kind says all." })
    })
  ).annotate({ description: "The first rows, at most 20. Warnings about places have neither line nor postcode." })
}).annotate({ identifier: "DirectoryWarning", description: "Rows of one kind that may be wrong." })

const ChosenFile = Schema.Struct({
  name: Text(importLimits.file_name).annotate({ description: "As the operator knows it." }),
  size_bytes: Schema.Int.check(Schema.isGreaterThan(0, { message: "expected a file that is not empty" }))
})

const UploadedFile = Schema.Struct({ name: Schema.String, size_bytes: Count, received_bytes: Count })

const columnsOf = <S extends Schema.Top>(name: S) => Schema.Record(Schema.String, name)

const ReadFile = Schema.Struct({
  notes: Schema.Array(Schema.String).annotate({
    description: "How the file is read, such as `read as: UTF-16, tab, header in line 3, 9 columns`."
  }),
  header: Schema.Array(Schema.String).annotate({ description: "The names of its columns." }),
  columns: columnsOf(Schema.String).annotate({ description: "Which of them is read, by the column of the directory." })
})

const reading = {
  columns: columnsOf(Text(importLimits.column_name)).annotate({
    description: `Where columns of the units have other names: the name in the file, or its number, by ${unitColumns.join(", ")}.`
  }),
  delimiter: Schema.Literals(["comma", "semicolon", "tab", "bar"]).annotate({
    description: "The character between fields. By default, it is found in each file."
  }),
  skip_lines: Count.check(
    Schema.isLessThanOrEqualTo(importLimits.skip_lines, {
      message: `expected at most ${importLimits.skip_lines} lines`
    })
  ).annotate({ description: "Lines before the header of the units. By default, they are found." }),
  drop_implausible: Schema.Boolean.annotate({ description: "Leave out units whose location cannot be right." })
}

const ImportCheck = Schema.Struct({
  reading: Schema.Struct({
    ...reading,
    delimiter: optional(reading.delimiter),
    skip_lines: optional(reading.skip_lines)
  }).annotate({ description: "As the dry run was told. To import the same, send the same." }),
  places: ReadFile,
  units: ReadFile,
  rows: Schema.Array(Schema.Array(Schema.String)).annotate({
    description: `The first rows of the units as they are read: ${unitColumns.join(", ")}.`
  }),
  is_readable: Schema.Boolean.annotate({ description: "Whether the files have a directory, without their bad rows." }),
  total_units: Count,
  active_units: Count,
  dropped_units: Count.annotate({ description: "Units that `drop_implausible` left out." }),
  bad_rows: Count,
  first_bad_rows: Schema.Array(
    Schema.Struct({ file: Schema.Literals(importFileNames), line: Schema.Int, reason: Schema.String })
  ),
  warnings: Schema.Array(DirectoryWarning),
  difference: optional(
    Schema.Struct({ added: Count, moved: Count, retired: Count, reactivated: Count, removed: Count, unchanged: Count })
  ).annotate({ description: "From the current edition without its changes." }),
  removals: optional(
    Schema.Struct({
      count: Count.annotate({ description: "The number to send as `allow_removals`." }),
      description: Schema.String
    })
  ).annotate({ description: "Only if more than 1 % of the active units would be taken away." }),
  changed_units: optional(Schema.Struct({ contained: Count, undone: Count, superseded: Count })).annotate({
    description: "Units that were changed since the last import, by what becomes of them."
  })
}).annotate({ identifier: "ImportCheck", description: "What a dry run of an import found." })

const DirectoryImport = Schema.Struct({
  id: Schema.String,
  actor: Schema.String,
  opened_at: Timestamp,
  phase: Schema.Literals(importPhases).annotate({
    description:
      "`uploading`, `checking` and `importing` last a while. After `checked` and `failed`, the import can run again. After " +
      "`imported`, the edition is current, and the files are removed."
  }),
  places: UploadedFile,
  units: UploadedFile,
  progress: optional(
    Schema.Struct({
      step: Schema.Literals(importSteps),
      share: optional(Share.annotate({ description: "From 0 to 1." })),
      rows: Count
    })
  ),
  check: optional(ImportCheck),
  imported: optional(
    Schema.Struct({
      outcome: Schema.Literals(["imported", "unchanged"]),
      data_version: Schema.String,
      data_date: Schema.String
    })
  ),
  problem: optional(Schema.String.annotate({ description: "Why the last run failed. Nothing was changed." }))
}).annotate({ identifier: "DirectoryImport", description: "An import, and how far it is." })

const Piece = Schema.String.check(
  Schema.isMaxLength(Math.ceil(importLimits.piece_bytes / 3) * 4, {
    message: `expected at most ${importLimits.piece_bytes} bytes as base64`
  })
)

const partOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    file: oneOf(importFileNames as ReadonlyArray<ImportFileName>),
    offset: Count.annotate({ description: "The index of the first byte in the file." }),
    pieces: Schema.Array(item).check(
      Schema.isMinLength(1, { message: "expected at least one piece" }),
      Schema.isMaxLength(importLimits.pieces, { message: `expected at most ${importLimits.pieces} pieces` })
    )
  })

const Task = Schema.Struct({
  dry_run: optional(
    Schema.Boolean.annotate({
      description: "If true, the files are only checked, and compared with the current edition."
    })
  ),
  columns: optional(reading.columns),
  delimiter: optional(reading.delimiter),
  skip_lines: optional(reading.skip_lines),
  skip_bad_rows: optional(
    Schema.Boolean.annotate({ description: "Leave out bad rows, instead of refusing the files." })
  ),
  drop_implausible: optional(reading.drop_implausible),
  data_version: optional(Text(importLimits.data_version)).annotate({
    description: "The name of the edition. Only a dry run needs none."
  }),
  data_date: optional(Day).annotate({ description: "The date of the edition. By default, this day in UTC." }),
  allow_removals: optional(Count).annotate({
    description:
      "How many active units the edition may take away, if they are more than 1 %. Without it, it is refused."
  }),
  changes: optional(oneOf(["keep", "drop"] as const)).annotate({
    description: "What becomes of changes since the last import that the edition would undo. Without it, it is refused."
  })
})

/** The endpoints of imports in `Management`. */
export const importEndpoints = [
  HttpApiEndpoint.get("getImport", "/v1/admin/directory/import", {
    success: Data(Schema.Struct({ import: Schema.NullOr(DirectoryImport) })),
    error: failures.read
  }).annotate(OpenApi.Summary, "Show the import that is open, or ended last"),
  HttpApiEndpoint.post("openImport", "/v1/admin/directory/import", {
    payload: Schema.Struct({ places: ChosenFile, units: ChosenFile }),
    success: Data(DirectoryImport),
    error: failures.save
  }).annotateMerge(
    documented(
      "Open an import of two files",
      "There is at most one. A new one replaces one that has ended, that waits for the same operator, or that waited for half " +
        "an hour. Otherwise this gets 409."
    )
  ),
  HttpApiEndpoint.post("addImportPart", "/v1/admin/directory/import/:id/parts", {
    ...byIdWithBodyOrConflict,
    payload: partOf(Piece),
    success: Data(DirectoryImport)
  })
    .annotate(LongBody, {
      maximum_bytes: 2 * 1024 * 1024,
      list: "pieces",
      maximumItems: importLimits.pieces,
      body: partOf(Schema.Unknown),
      item: Piece
    })
    .annotateMerge(
      documented(
        "Send the next part of a file",
        `A part has up to ${importLimits.pieces} pieces of ${importLimits.piece_bytes} bytes, as base64. Parts are sent in their order. One ` +
          "that has arrived before changes nothing, so a part can be sent again."
      )
    ),
  HttpApiEndpoint.post("runImport", "/v1/admin/directory/import/:id/run", {
    ...byIdWithBodyOrConflict,
    payload: Task,
    success: Data(DirectoryImport)
  }).annotateMerge(
    documented(
      "Check the files of an import, or make them the current edition",
      "Starts the work and does not wait for it: follow it with GET. It does what `postcode import` does, by the same rules."
    )
  ),
  HttpApiEndpoint.delete("cancelImport", "/v1/admin/directory/import/:id", {
    ...byId,
    success: Data(Schema.Struct({ id: Schema.String }))
  }).annotateMerge(
    documented(
      "Cancel an import",
      "Its files are removed. The current edition stays, unless the import was just finished."
    )
  )
] as const
