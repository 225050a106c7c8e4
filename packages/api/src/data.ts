import { Schema } from "effect"

/** Every success holds its payload in `data`. */
export const Data = <S extends Schema.Top>(schema: S) => Schema.Struct({ data: schema })
