import { readPreference, savePreference } from '#platform/preferences.ts'
import { isLayerOpen } from '../dialog/layers.ts'
import { isInMenu } from './is-in-menu.ts'
import { isTyping } from './is-typing.ts'

/** Shortcuts without Ctrl, Cmd or Alt get in the way of people who speak to their computer; My profile turns them off. */
export const hasLetterKeys = (): boolean => readPreference('letter-keys') !== 'off'
export const setLetterKeys = (isOn: boolean): void => savePreference('letter-keys', isOn ? 'on' : 'off')

/** True when a key press without Ctrl, Cmd or Alt is not for a field, and such shortcuts are not turned off. */
export const isLetterKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey || isTyping(target)) && (key.length > 1 || hasLetterKeys())

/** The same, and not for a menu or a dialog. */
export const isPageKey = (event: KeyboardEvent): boolean =>
  isLetterKey(event) && !(event.defaultPrevented || isInMenu(event.target) || isLayerOpen())
