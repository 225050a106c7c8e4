/** A page for each error code, and a table of all codes, from the texts of the contract. */
import { STATUS_CODES } from "node:http"
import { type ErrorExplanation, errorGuide } from "../../packages/api/src/errorGuide.ts"
import { type ErrorCode, errorCodes } from "../../packages/api/src/errors.ts"
import type { Page } from "./Page.ts"

const codes = Object.entries(errorCodes).flatMap(([status, names]) => names.map((code) => ({ status, code })))

export const errorPages = (): ReadonlyArray<Page> =>
  codes.map(({ code, status }) => ({
    path: `docs/reference/errors/${code}.md`,
    text: pageText(code, status, errorGuide[code])
  }))

/** The table of all codes, for the list of these pages. */
export const errorTable = (): string =>
  [
    "| Code | Status | Means |",
    "|------|--------|-------|",
    ...codes.map(
      ({ code, status }) => `| [\`${code}\`](${code}.md) | ${status} | ${relinked(errorGuide[code].meaning)} |`
    )
  ].join("\n")

const pageText = (
  code: ErrorCode,
  status: string,
  { again, causes, example, fixes, meaning }: ErrorExplanation
): string =>
  [
    `# ${code}`,
    `**${status} ${STATUS_CODES[status]}.** ${meaning}`,
    "## Cause",
    listOf(causes),
    "## Fix",
    listOf(fixes),
    "## Retry?",
    again,
    ...(example === undefined
      ? []
      : ["## Example", `\`\`\`sh\n${example.request}\n\`\`\``, `\`\`\`json\n${example.answer}\n\`\`\``]),
    "[All errors](README.md), and what is the same for all of them."
  ]
    .map(relinked)
    .join("\n\n")
    .concat("\n")

const listOf = (items: ReadonlyArray<string>): string => items.map((item) => `- ${item}`).join("\n")

/** Links of the contract start at the root of the workspace, those of these pages at their folder. */
const relinked = (text: string): string => text.replaceAll("](docs/", "](../../")
