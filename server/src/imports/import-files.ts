/** The storage key of an uploaded file. */
export const fileKey = (name: string) => `imports/${name}`
