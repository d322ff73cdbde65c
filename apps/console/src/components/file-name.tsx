import type { FileInputProps } from '@mantine/core';
import { PlainText } from './plain-text.tsx';

/** The name of a file that the reader chose: somebody else may have given it to them. */
export const FileName: NonNullable<FileInputProps['valueComponent']> = ({ value }) =>
  value instanceof File && <PlainText text={value.name} />;
