/** A query parameter of the address as a field's value. */
import { query, setQuery } from "./address.ts"

/** @param absent the value if the parameter is missing */
export const queryField = (name: string, absent = ""): { value: string } => ({
  get value() {
    return query.value.get(name) ?? absent
  },
  set value(next) {
    setQuery({ [name]: next === absent ? undefined : next })
  }
})
