/** True when a key press goes to an open menu, which handles its own keys. */
export const isInMenu = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="menu"], [aria-haspopup="menu"][aria-expanded="true"]') !== null
