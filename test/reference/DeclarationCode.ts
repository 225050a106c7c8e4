/** A declaration as the reference shows it: in its own words, without what functions do inside. */
import { type ClassDeclaration, type ClassElement, type Node, SyntaxKind } from "typescript/unstable/ast"
import {
  isArrowFunction,
  isClassDeclaration,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isMethodDeclaration,
  isPrivateIdentifier,
  isPropertyDeclaration,
  isVariableDeclaration
} from "typescript/unstable/ast/is"
import type { Checker } from "typescript/unstable/sync"

/** Values of more lines than this are shown by their types. */
const longestValue = 30

/** The code of a declaration, such as `const cap: (level: AccessLevel, at: AccessLevel) => AccessLevel`. */
export const codeOf = (node: Node, checker: Checker): string => {
  if (isVariableDeclaration(node)) return valueCode(node, checker)
  if (isFunctionDeclaration(node)) return upTo(node, node.body)
  if (isClassDeclaration(node)) return classCode(node, checker)
  return withoutExport(node.getText())
}

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
  return text.split("\n").length > longestValue || text.includes("=>")
    ? `const ${name}: ${typeText(node, checker)}`
    : text
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
