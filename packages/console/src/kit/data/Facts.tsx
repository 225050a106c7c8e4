import type { ComponentChildren } from "preact"

/** A name and a value; without a value it is omitted. */
export type Fact = readonly [string, ComponentChildren]

export interface FactsProps {
  readonly facts: ReadonlyArray<Fact>
  readonly class?: string
}

/** Names and values of one thing. */
export const Facts = ({ class: name = "facts", facts }: FactsProps) => (
  <dl class={name}>
    {facts.map(
      ([name, value]) =>
        value !== undefined &&
        value !== null && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )
    )}
  </dl>
)
