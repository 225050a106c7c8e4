/** A declaration as the reference shows it: in its own words, without what functions do inside. */
import {
  type ClassDeclaration,
  type ClassElement,
  type Node,
  SyntaxKind,
  type TypeAliasDeclaration
} from "typescript/unstable/ast"
import {
  isArrowFunction,
  isClassDeclaration,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isMethodDeclaration,
  isPrivateIdentifier,
  isPropertyDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration
} from "typescript/unstable/ast/is"
import type { Checker } from "typescript/unstable/sync"

/** Of values with more lines than this the first ones are shown. */
const longestValue = 30

/** The code of a declaration, such as `const cap: (level: AccessLevel, at: AccessLevel) => AccessLevel`. */
export const codeOf = (node: Node, checker: Checker): string => {
  if (isVariableDeclaration(node)) return valueCode(node, checker)
  if (isFunctionDeclaration(node)) return upTo(node, node.body)
  if (isClassDeclaration(node)) return classCode(node, checker)
  if (isTypeAliasDeclaration(node)) return aliasCode(node, checker)
  return withoutExport(node.getText())
}

/** A type that is taken from a value is shown as what it comes to, where that can be read. */
const aliasCode = (node: TypeAliasDeclaration, checker: Checker): string => {
  const text = withoutExport(node.getText())
  if (!node.type.getText().includes("typeof ")) return text
  const type = checker.getTypeFromTypeNode(node.type)
  const members = type === undefined ? text : checker.typeToString(type, node, unfolded)
  return members.length > longestType ? text : `type ${node.name.getText()} = ${members}`
}

/** As in the compiler's `TypeFormatFlags`: nothing is left out, and an alias is not shown by its own name. */
const unfolded = 1 | 8_388_608
const longestType = 400

const valueCode = (
  node: Node & { readonly name: Node; readonly type?: Node; readonly initializer?: Node },
  checker: Checker
): string => {
  const name = node.name.getText()
  if (node.type !== undefined) return `const ${name}: ${node.type.getText()}`
  const { initializer } = node
  if (initializer !== undefined && isArrowFunction(initializer)) {
    const head = upTo(initializer, initializer.equalsGreaterThanToken)
    return `const ${name} = ${initializer.type === undefined ? `${head}: ${returnType(initializer, checker)}` : head}`
  }
  const text = `const ${node.getText()}`
  return text.includes("=>") ? `const ${name}: ${typeText(node, checker)}` : shortened(text)
}

const shortened = (text: string): string => {
  const lines = text.split("\n")
  if (lines.length <= longestValue) return text
  return [...lines.slice(0, 8), "  // … and so on", ...lines.slice(-1)].join("\n")
}

const classCode = (node: ClassDeclaration, checker: Checker): string => {
  const members = node.members.filter(isPublic).map((member) => indented(memberCode(member, checker)))
  const [open = node.end] = [node.members.pos]
  const head = withoutExport(sliceOf(node, node.getStart(), open).trimEnd())
  return members.length === 0 ? head.replace(/\s*\{$/, "") : `${head}\n${members.join("\n")}\n}`
}

const isPublic = (member: ClassElement): boolean => {
  if (member.kind === SyntaxKind.ClassStaticBlockDeclaration) return false
  const { name } = member as { readonly name?: Node }
  if (name !== undefined && isPrivateIdentifier(name)) return false
  return !modifiersOf(member).some(
    ({ kind }) => kind === SyntaxKind.PrivateKeyword || kind === SyntaxKind.ProtectedKeyword
  )
}

const modifiersOf = (member: Node): ReadonlyArray<Node> =>
  (member as { readonly modifiers?: ReadonlyArray<Node> }).modifiers ?? []

const memberCode = (member: ClassElement, checker: Checker): string =>
  unindented(`${commentLines(member)}${memberHead(member, checker)}`)

const memberHead = (member: ClassElement, checker: Checker): string => {
  if (isConstructorDeclaration(member)) return upTo(member, member.body)
  if (isMethodDeclaration(member)) {
    const head = upTo(member, member.body)
    return member.type === undefined ? `${head}: ${returnType(member, checker)}` : head
  }
  if (isPropertyDeclaration(member) && member.type === undefined) {
    const head = sliceOf(member, member.getStart(), member.name.end)
    return `${head}: ${typeText(member, checker)}`
  }
  const body = (member as { body?: Node }).body ?? (member as { initializer?: Node }).initializer
  return upTo(member, body).replace(/\s*=$/, "")
}

const returnType = (node: Node, checker: Checker): string => {
  const signature = checker.getSignatureFromDeclaration(node)
  const type = signature && checker.getReturnTypeOfSignature(signature)
  return type === undefined ? "unknown" : checker.typeToString(type, node)
}

const typeText = (node: Node, checker: Checker): string => {
  const type = checker.getTypeAtLocation(node)
  return type === undefined ? "unknown" : checker.typeToString(type, node)
}

/** The comment in front of a member, as it stands there. */
const commentLines = (member: Node): string => {
  const comment = member.jsDoc?.at(-1)
  return comment === undefined ? "" : `${comment.getText()}\n`
}

/** The text of a node before one of its parts. */
const upTo = (node: Node, part: Node | undefined): string =>
  withoutExport(sliceOf(node, node.getStart(), part?.getStart() ?? node.end).trimEnd())

const sliceOf = (node: Node, from: number, to: number): string => node.getSourceFile().text.slice(from, to)

const withoutExport = (text: string): string => text.replace(/^export (?:default )?/, "")

const unindented = (text: string): string => text.replace(/^ {2}/gm, "")

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ")
