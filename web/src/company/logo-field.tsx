import { LOGO_TYPES, MAX_LOGO_BYTES } from '@limber/contract/company/company.ts'
import { Button } from '@mantine/core'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { UploadButton } from '#ui/form/upload-button.tsx'
import { useRemoveLogo, useUploadLogo } from './company.api.ts'
import styles from './company.module.css'

/** The logo, with buttons to replace and remove it. */
export function LogoField({ logo, isReadOnly }: { logo: string | null; isReadOnly: boolean }) {
  const upload = useUploadLogo()
  const remove = useRemoveLogo()
  const removeIt = () =>
    remove.mutateAsync(undefined).catch((error: unknown) => toastFailure("Couldn't remove the logo", error))
  return (
    <div className={styles.logo}>
      {logo ? <img src={logo} alt="Logo of the company" /> : <span className={styles.none}>No logo</span>}
      {!isReadOnly && (
        <div className={styles.buttons}>
          <UploadButton
            label={logo ? 'Replace logo' : 'Upload logo'}
            accept={LOGO_TYPES.join(',')}
            limit={MAX_LOGO_BYTES}
            upload={async ([file], options) => file && (await upload.mutateAsync({ file, options }))}
          />
          {logo && (
            <Button variant="subtle" color="gray" loading={remove.isPending} onClick={() => void removeIt()}>
              Remove
            </Button>
          )}
        </div>
      )}
      <p className={styles.muted}>PNG, JPEG or WebP, at most 2 MB. Verification pages show it.</p>
    </div>
  )
}
