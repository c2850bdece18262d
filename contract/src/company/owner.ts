/** Settings of the whole company are changed by Owners only, although others who manage access can read them. */
export const NOT_OWNER = [403, 'Only an Owner can do this. Ask one of them.'] as const
