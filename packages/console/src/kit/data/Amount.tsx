/** A number with thousands separators and tabular figures. */
export const Amount = ({ value, unit }: { readonly value: number; readonly unit?: string }) => (
  <span class="amount">
    {formatAmount(value)}
    {unit && ` ${unit}`}
  </span>
)

/** `12,345` */
export const formatAmount = (value: number): string => format.format(value)

/** `1 row`, `1,204 rows`. */
export const counted = (count: number, what: string): string =>
  `${formatAmount(count)} ${what}${count === 1 ? "" : "s"}`

const format = new Intl.NumberFormat("en")
