/** `2,340`. */
export const whole = (value: number | bigint) => value.toLocaleString('en-US')

/** `1 ticket`, `2,340 tickets`, `3 people`. */
export const counted = (count: number, one: string, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`
