/** A page for each error code, and their table in docs/errors.md, made of what the contract says of the codes. */
import { STATUS_CODES } from "node:http"
import { type ErrorExplanation, errorGuide } from "../../packages/api/src/errorGuide.ts"
import { type ErrorCode, errorCodes } from "../../packages/api/src/errors.ts"
import type { Page } from "./Page.ts"

const codes = Object.entries(errorCodes).flatMap(([status, names]) => names.map((code) => ({ status, code })))

export const errorPages = (): ReadonlyArray<Page> =>
  codes.map(({ code, status }) => ({
    path: `docs/reference/errors/${code}.md`,
    title: code,
    summary: errorGuide[code].meaning,
    text: pageText(code, status, errorGuide[code])
  }))

/** The table of all codes, for a page in docs/. */
export const errorTable = (): string =>
  [
    "| Status | Code | Means |",
    "|--------|------|-------|",
    ...codes.map(({ code, status }) => `| ${status} | [\`${code}\`](reference/errors/${code}.md) | ${rowText(code)} |`)
  ].join("\n")

const rowText = (code: ErrorCode): string => relinked(errorGuide[code].meaning, "")

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
    "[All errors](docs/errors.md), and what is the same for all of them."
  ]
    .map((part) => relinked(part, "../../"))
    .join("\n\n")
    .concat("\n")

const listOf = (items: ReadonlyArray<string>): string => items.map((item) => `- ${item}`).join("\n")

/** Links start at the workspace's root: from a page they start at `docs/` as seen from there. */
const relinked = (text: string, docs: string): string => text.replaceAll("](docs/", `](${docs}`)
