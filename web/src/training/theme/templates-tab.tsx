import { type TemplateName, templateNames, themeTemplates } from '@limber/contract/training/theme/theme.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import type { ThemeProps } from './simple-tab.tsx'
import styles from './theme.module.css'

/** Predefined themes. */
export function TemplatesTab({ theme, onChange }: ThemeProps) {
  const apply = async (name: TemplateName) => {
    const question = {
      title: `Apply the ${name} template?`,
      body: 'This replaces all theme values and clears your custom CSS.',
      action: 'Apply template',
      isDestructive: true,
    }
    if (theme.customCSS.trim() === '' || (await confirm(question))) onChange(themeTemplates[name])
  }
  return (
    <ul className={styles.templates} aria-label="Templates">
      {templateNames.map((name) => {
        const { primaryColor, secondaryColor, backgroundColor, borderRadius } = themeTemplates[name]
        return (
          <li key={name}>
            <button
              type="button"
              className={styles.template}
              aria-pressed={theme.templateType === name}
              onClick={() => void apply(name)}
            >
              <span className={styles.sample} aria-hidden style={{ background: backgroundColor, borderRadius }}>
                <span style={{ background: secondaryColor, borderRadius }} />
                <span style={{ background: primaryColor, borderRadius }} />
              </span>
              {name}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
