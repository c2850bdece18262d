import { isLayerOpen } from '../dialog/layers.ts'
import { isInMenu } from './is-in-menu.ts'
import { isTyping } from './is-typing.ts'

/** True when a key press without Ctrl, Cmd or Alt is for the page: not for a field, a menu or a dialog. */
export const isPageKey = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) &&
  !(isTyping(event.target) || isInMenu(event.target) || isLayerOpen())
