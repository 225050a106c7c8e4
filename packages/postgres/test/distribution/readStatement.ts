/**
 * What a statement says about organizations: the tables that it uses, and which of their rows must be of the same
 * organization. It reads SQL as this package writes it, and knows nothing of the schema but the lists of tables.
 */
import { isLocal, isOfOrganization, keyOf } from "./Tables.ts"

/** A table, a common table expression or a subquery in one place of a statement, a parameter `$1`, or a literal. */
type Node = string

export interface ReadStatement {
  /** The uses of tables of organizations. */
  readonly uses: ReadonlyArray<Node>
  /** Pairs that are of the same organization. */
  readonly same: ReadonlyArray<readonly [Node, Node]>
  readonly localTables: ReadonlyArray<string>
  /** What only one database can run: `FOR UPDATE`, for example. */
  readonly demands: ReadonlyArray<string>
}

/** Words, and what parentheses enclose. */
type Token = string | ReadonlyArray<Token>

export const readStatement = (text: string): ReadStatement => new Reader(text).result

/** Whether all rows are of one organization that a parameter or a literal names. */
export const namesOne = ({ same, uses }: ReadStatement, parameters: ReadonlyArray<unknown>): boolean => {
  const groups = new Map<Node, Node>()
  const rootOf = (node: Node): Node => {
    const parent = groups.get(node)
    return parent === undefined ? node : rootOf(parent)
  }
  const values = new Set<Node>()
  const namedValue = (node: Node): Node | undefined => {
    if (!/^[$']/.test(node)) return node
    const value = node.startsWith("$") ? parameters[Number(node.slice(1)) - 1] : node.slice(1, -1)
    if (typeof value !== "string") return undefined
    values.add(`value ${value}`)
    return `value ${value}`
  }
  for (const pair of same) {
    const [one, other] = pair.map(namedValue)
    if (one === undefined || other === undefined) continue
    const [root, otherRoot] = [rootOf(one), rootOf(other)]
    if (root !== otherRoot) groups.set(root, otherRoot)
  }
  const roots = new Set(uses.map(rootOf))
  return roots.size === 0 || (roots.size === 1 && [...values].some((value) => roots.has(rootOf(value))))
}

interface Relation {
  readonly node: Node | undefined
  readonly key: string
}

/** The relations of a query, by alias, and those around it. */
interface Scope {
  readonly relations: Map<string, Relation>
  readonly outer: Scope | undefined
}

class Reader {
  private readonly uses: Array<Node> = []
  private readonly same: Array<readonly [Node, Node]> = []
  private readonly local = new Set<string>()
  private readonly demands = new Set<string>()
  private nodes = 0

  constructor(text: string) {
    const tokens = tokensOf(text)
    this.query(tokens, undefined)
    this.findDemands(tokens, false)
  }

  get result(): ReadStatement {
    const { demands, local, same, uses } = this
    return { uses, same, localTables: [...local], demands: [...demands] }
  }

  /** Reads a query with its common table expressions, and returns the node of its rows. */
  private query(tokens: ReadonlyArray<Token>, outer: Scope | undefined): Node | undefined {
    const scope: Scope = { relations: new Map(), outer }
    let start = 0
    if (isWord(tokens[0], "WITH")) {
      for (let name = 1; ; ) {
        const body = tokens.findIndex((token, i) => i > name && typeof token !== "string")
        const end = isWord(tokens[body + 1], "AS") ? tokens.findIndex((token, i) => i > body && isGroup(token)) : body
        const node = this.query(tokens[end] as ReadonlyArray<Token>, scope)
        scope.relations.set(String(tokens[name]), { node, key: "organization_id" })
        start = end + 1
        if (tokens[start] !== ",") break
        name = start + 1
      }
    }
    const parts = splitAt(tokens.slice(start), (token) => isWord(token, "UNION", "EXCEPT", "INTERSECT"))
    return parts.map((part) => this.block(part, scope)).find((node) => node !== undefined)
  }

  private block(tokens: ReadonlyArray<Token>, outer: Scope): Node | undefined {
    const scope: Scope = { relations: new Map(), outer }
    // A part of a union in parentheses.
    if (isQuery(tokens[0])) return this.query(tokens[0], outer)
    this.findRelations(tokens, scope)
    this.insertion(tokens, scope)
    this.conditions(tokens, scope)
    return [...scope.relations.values()].find(({ node }) => node !== undefined)?.node
  }

  private findRelations(tokens: ReadonlyArray<Token>, scope: Scope): void {
    let isList = false
    let isExpected = false
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Token
      if (isWord(token, "LATERAL", "ONLY")) continue
      if (isExpected) {
        isExpected = false
        const isFunction = typeof token === "string" && isGroup(tokens[i + 1]) && !isWord(tokens[i - 1], "INTO")
        this.relation(token, isFunction, aliasAfter(tokens, isFunction ? i + 2 : i + 1), scope)
      } else if (isWord(token, "FROM", "JOIN", "INTO", "USING", "UPDATE")) {
        if (isLock(tokens, i) || isWord(tokens[i - 1], "DISTINCT")) continue
        isExpected = true
        isList = isWord(token, "FROM", "USING")
      } else if (token === "," && isList) isExpected = true
      else if (isWord(token, "WHERE", "GROUP", "ORDER", "SET", "RETURNING", "LIMIT")) isList = false
    }
  }

  private relation(token: Token, isFunction: boolean, alias: string | undefined, scope: Scope): void {
    if (typeof token !== "string") {
      const node = isQuery(token) ? this.query(token, scope) : undefined
      scope.relations.set(alias ?? `#${this.nodes++}`, { node, key: "organization_id" })
      return
    }
    const [schema, name = ""] = token.split(".")
    if (schema !== "postcode") {
      scope.relations.set(alias ?? token, (!isFunction && find(scope, token)) || nothing)
      return
    }
    if (isLocal(name)) this.local.add(name)
    if (!isOfOrganization(name)) {
      scope.relations.set(alias ?? name, nothing)
      return
    }
    const node = `${name} #${this.nodes++}`
    this.uses.push(node)
    scope.relations.set(alias ?? name, { node, key: keyOf(name) })
  }

  /** The organization of inserted rows: a value, or a column of the query. */
  private insertion(tokens: ReadonlyArray<Token>, scope: Scope): void {
    if (!isWord(tokens[0], "INSERT")) return
    const [target] = scope.relations.values()
    if (target?.node === undefined) return
    const node = target.node
    // The query does not see the target.
    const from: Scope = { relations: new Map([...scope.relations].slice(1)), outer: scope.outer }
    const isColumns = (token: Token | undefined): token is ReadonlyArray<Token> => isGroup(token) && !isQuery(token)
    const columns = tokens.slice(0, 6).find(isColumns) ?? []
    const place = splitAt(columns, (token) => token === ",").findIndex(([name]) => name === target.key)
    const values = tokens.findIndex((token) => isWord(token, "VALUES"))
    const select = tokens.findIndex((token) => isWord(token, "SELECT"))
    if (values >= 0) {
      const rows = tokens.slice(values).filter(isGroup)
      for (const row of rows.slice(0, 1)) this.link(node, splitAt(row, (token) => token === ",")[place], from)
    } else if (place >= 0) {
      const end = tokens.findIndex((token, i) => i > select && isWord(token, "FROM"))
      const list = tokens.slice(select + 1, end < 0 ? undefined : end)
      this.link(node, splitAt(list, (token) => token === ",")[place], from)
    } else {
      const [, source] = scope.relations.values()
      if (source?.node !== undefined) this.same.push([node, source.node])
    }
  }

  private link(node: Node, value: ReadonlyArray<Token> | undefined, scope: Scope): void {
    const other = value?.length === 1 ? this.resolve(value[0], scope) : undefined
    if (other !== undefined) this.same.push([node, other])
  }

  /** Equalities that all rows fulfil, and queries within expressions. */
  private conditions(tokens: ReadonlyArray<Token>, scope: Scope): void {
    const isAlternative = tokens.some((token) => isWord(token, "OR"))
    for (const [i, token] of tokens.entries()) {
      if (isQuery(token)) {
        if (!isRelationAt(tokens, i)) this.query(token, scope)
      } else if (isGroup(token)) this.conditions(token, scope)
      else if (token === "=" && !isAlternative) {
        const [one, other] = [this.resolve(tokens[i - 1], scope), this.resolve(tokens[i + 1], scope)]
        if (one !== undefined && other !== undefined) this.same.push([one, other])
      }
    }
  }

  private resolve(token: Token | undefined, scope: Scope): Node | undefined {
    if (typeof token !== "string") return undefined
    if (/^(\$\d+|'.*')$/.test(token)) return token
    const [alias = "", column] = token.split(".")
    if (column !== undefined) {
      const relation = find(scope, alias)
      return column === relation?.key || column === "organization" ? relation?.node : undefined
    }
    for (let around: Scope | undefined = scope; around !== undefined; around = around.outer) {
      for (const { key, node } of around.relations.values()) if (node !== undefined && key === alias) return node
    }
    return undefined
  }

  private findDemands(tokens: ReadonlyArray<Token>, isInChange: boolean): void {
    const isChange = isInChange || tokens.some((token, i) => isWord(token, "UPDATE", "DELETE") && !isLock(tokens, i))
    for (const [i, token] of tokens.entries()) {
      const next = tokens[i + 1]
      if (isWord(token, "FOR") && isWord(next, "UPDATE", "NO", "SHARE", "KEY")) this.demands.add("a lock of rows")
      if (isGroup(next)) {
        if (isWord(token, "LATERAL") && next.some((inner) => isWord(inner, "LIMIT")))
          this.demands.add("a lateral limit")
        if (isWord(token, "OVER") && !isOfEach(next)) this.demands.add("a window over all organizations")
        if (isChange && isWord(token, ...volatile)) this.demands.add("a volatile function in a change")
      }
      if (isGroup(token)) this.findDemands(token, isChange && !isQuery(token))
    }
  }
}

const nothing: Relation = { node: undefined, key: "" }

const volatile =
  "CLOCK_TIMESTAMP,GEN_RANDOM_UUID,NEXTVAL,PG_ADVISORY_XACT_LOCK,PG_TRY_ADVISORY_XACT_LOCK,RANDOM,SET_CONFIG".split(",")

const isOfEach = (window: ReadonlyArray<Token>): boolean =>
  isWord(window[0], "PARTITION") &&
  window.some((token) => typeof token === "string" && token.endsWith("organization_id"))

const find = ({ outer, relations }: Scope, alias: string): Relation | undefined =>
  relations.get(alias) ?? (outer && find(outer, alias))

/** Whether the word `UPDATE` belongs to `FOR UPDATE`, `FOR NO KEY UPDATE` or `DO UPDATE`. */
const isLock = (tokens: ReadonlyArray<Token>, i: number): boolean => isWord(tokens[i - 1], "DO", "FOR", "KEY")

/** Whether a query is a relation, which was read already, and not an expression. */
const isRelationAt = (tokens: ReadonlyArray<Token>, i: number): boolean =>
  isWord(tokens[i - 1], "FROM", "JOIN", "LATERAL", "USING") ||
  (tokens[i - 1] === "," &&
    isWord(
      tokens.slice(0, i).findLast((token) => isWord(token, "FROM", "RETURNING", "SELECT", "SET", "USING", "WHERE")),
      "FROM",
      "USING"
    ))

const isGroup = (token: Token | undefined): token is ReadonlyArray<Token> => Array.isArray(token)

const isQuery = (token: Token | undefined): token is ReadonlyArray<Token> =>
  isGroup(token) && (isWord(token[0], "SELECT", "WITH", "INSERT", "UPDATE", "DELETE") || isQuery(token[0]))

const isWord = (token: Token | undefined, ...words: ReadonlyArray<string>): boolean =>
  typeof token === "string" && words.includes(token.toUpperCase())

const aliasAfter = (tokens: ReadonlyArray<Token>, i: number): string | undefined => {
  const token = tokens[i]
  if (isWord(token, "AS")) return aliasAfter(tokens, i + 1)
  if (isWord(token, "WITH") && isWord(tokens[i + 1], "ORDINALITY")) return aliasAfter(tokens, i + 2)
  return typeof token === "string" && /^[a-z_]\w*$/i.test(token) && !isWord(token, ...keywords) ? token : undefined
}

const keywords =
  "CROSS,DEFAULT,EXCEPT,FOR,GROUP,HAVING,INNER,INTERSECT,JOIN,LEFT,LIMIT,OFFSET,ON,ORDER,RETURNING,SELECT,SET,UNION,USING,VALUES,WHERE".split(
    ","
  )

/** Without casts and comments, which say nothing about organizations. */
const tokensOf = (text: string): ReadonlyArray<Token> => {
  const words =
    text
      .replaceAll(/--.*$/gm, "")
      .replaceAll(/::[a-z_]\w*(\.\w+)?(\[\])*/gi, "")
      .match(/'(?:[^']|'')*'|"[^"]*"|\$\d+|[a-z_][\w.]*|[<>!]=|<>|\S/gi) ?? []
  const stack: Array<Array<Token>> = [[]]
  for (const word of words) {
    if (word === "(") stack.push([])
    else if (word === ")") {
      const group = stack.pop() as Array<Token>
      stack.at(-1)?.push(group)
    } else stack.at(-1)?.push(word)
  }
  return stack[0] ?? []
}

const splitAt = (
  tokens: ReadonlyArray<Token>,
  isSeparator: (token: Token) => boolean
): ReadonlyArray<ReadonlyArray<Token>> => {
  const parts: Array<Array<Token>> = [[]]
  for (const token of tokens) {
    if (isSeparator(token)) parts.push([])
    else if (!(parts.at(-1)?.length === 0 && isWord(token, "ALL"))) parts.at(-1)?.push(token)
  }
  return parts
}
