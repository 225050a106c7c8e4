/** A number with thousands separators and tabular figures. */
export const Amount = ({ value, unit }: { readonly value: number; readonly unit?: string }) => (
  <span class="amount">
    {formatAmount(value)}
    {unit && ` ${unit}`}
  </span>
)

/** `12,345` */
export const formatAmount = (value: number): string => format.format(value)

const format = new Intl.NumberFormat("en")
