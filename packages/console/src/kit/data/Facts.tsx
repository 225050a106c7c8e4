import type { ComponentChildren } from "preact"

/** Names and values of one thing. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [string, ComponentChildren]> }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
