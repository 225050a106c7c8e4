/** The reference of the command line, made of the command's own help. */
import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import { commandHelp, type Help } from "../../packages/cli/test/CommandHelp.ts"
import type { Page } from "./Page.ts"

export const commandLinePage = async (): Promise<Page> => {
  const [all, ...others] = await commandHelp()
  const text = [
    "# Command line",
    "Every command of `postcode`, with its arguments, flags and examples.",
    ...(all === undefined ? [] : bodyOf(all)),
    ...others.flatMap((help) => [headingOf(help), ...bodyOf(help)])
  ]
  return { path: "docs/reference/command-line.md", text: `${text.join("\n\n")}\n` }
}

const headingOf = ({ path }: Help): string => `${path.length === 1 ? "##" : "###"} postcode ${path.join(" ")}`

const bodyOf = ({ doc }: Help): ReadonlyArray<string> =>
  [
    unwrapped(doc.description),
    `\`\`\`text\n${doc.usage}\n\`\`\``,
    ...(doc.subcommands ?? []).map(subcommandTable),
    tableOf(["Argument", "Is"], (doc.args ?? []).map(argumentRow)),
    tableOf(["Flag", "Does", "Environment"], doc.flags.map(flagRow)),
    examplesOf(doc.examples ?? [])
  ].filter((part) => part !== "")

/** Help is broken into lines for terminals; a title in it stands on a line of its own, without a full stop. */
const unwrapped = (text: string): string =>
  escaped(text)
    .replace(/(?<![.:;,])\n\s*(?=[A-Z][a-z])/g, ".\n\n")
    .replace(/(?<=[^\n])\n {2,}/g, "\n")

const subcommandTable = ({ commands, group }: HelpDoc.SubcommandGroupDoc): string =>
  tableOf(
    [group ?? "Command", "Does"],
    commands.map(({ description, name, shortDescription }) => [
      `\`${name}\``,
      escaped(shortDescription ?? description.split("\n", 1)[0] ?? "")
    ])
  )

const argumentRow = ({ description, name }: HelpDoc.ArgDoc): ReadonlyArray<string> => [
  `\`${name}\``,
  escaped(textOf(description))
]

/** A flag, what it does, and the variable that the end of its description names: `Port to listen on [POSTCODE_PORT]`. */
const flagRow = ({ aliases, description, name, type }: HelpDoc.FlagDoc): ReadonlyArray<string> => {
  const value = type === "[=boolean]" || type === "boolean" ? "" : ` ${type}`
  const [, text = "", variable = ""] = /^([\s\S]*?)(?: \[([A-Z_, ]+)\])?$/.exec(textOf(description)) ?? []
  return [
    `\`${[`--${name}`, ...aliases].join(", ")}${value}\``,
    escaped(text),
    variable === "" ? "" : `\`${variable}\``
  ]
}

const textOf = (description: Option.Option<string> | string | undefined): string => {
  if (description === undefined || typeof description === "string") return description ?? ""
  return Option.getOrElse(description, () => "")
}

const escaped = (text: string): string => text.replace(/[<|*]/g, "\\$&")

/** A table without the columns that nothing stands in. */
const tableOf = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  if (rows.length === 0) return ""
  const used = heads.map((_, column) => rows.some((row) => row[column] !== ""))
  const line = (cells: ReadonlyArray<string>) => `| ${cells.filter((_, column) => used[column]).join(" | ")} |`
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n")
}

const examplesOf = (examples: ReadonlyArray<HelpDoc.ExampleDoc>): string => {
  const lines = examples.flatMap(({ command, description }) =>
    description === undefined ? [command] : [`# ${description}`, command]
  )
  return lines.length === 0 ? "" : `\`\`\`text\n${lines.join("\n")}\n\`\`\``
}
