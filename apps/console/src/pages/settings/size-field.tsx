import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSize } from '../../components/format-size.ts';

const STEP = 1024;
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;
type Unit = (typeof UNITS)[number];
const BYTES_MAX = 5 * STEP ** 4;

type Props = { readonly bytes: number; readonly onChange: (bytes: number) => void };

/** The largest file of evidence, as a number and its unit. */
export function SizeField({ bytes, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const [unit, setUnit] = useState<Unit>(() => unitOf(bytes));
  const size = bytesOf(unit);
  return (
    <Group align="flex-end" gap="xs">
      <NumberInput
        label={t('settings.answer_audit_evidence_max_bytes')}
        description={t('consequences.size', { size: formatSize(bytes, i18n.language) })}
        value={bytes / size}
        onChange={(value) => onChange(Math.min(BYTES_MAX, Math.round(Number(value) * size)))}
        min={0}
        max={BYTES_MAX / size}
        decimalScale={3}
        hideControls
        maw={420}
      />
      <NativeSelect
        aria-label={t('settings.unit')}
        value={unit}
        onChange={({ currentTarget: { value } }) => setUnit(UNITS.find((one) => one === value) ?? unit)}
        data={[...UNITS]}
        w={90}
      />
    </Group>
  );
}

/** The largest unit that the size has one of. */
function unitOf(bytes: number): Unit {
  return UNITS.findLast((unit) => bytes >= bytesOf(unit)) ?? 'KiB';
}

function bytesOf(unit: Unit): number {
  return STEP ** (UNITS.indexOf(unit) + 1);
}
