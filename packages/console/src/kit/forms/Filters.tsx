import type { ComponentChildren } from "preact"

/** A row of fields that filter the list below. */
export const Filters = ({ children, label }: { readonly label: string; readonly children: ComponentChildren }) => (
  <search class="filters" aria-label={label}>
    {children}
  </search>
)
