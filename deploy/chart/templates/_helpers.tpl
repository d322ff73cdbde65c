{{- define "answer-evidence.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/name: answer-evidence
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "answer-evidence.selector" -}}
app.kubernetes.io/name: answer-evidence
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "answer-evidence.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "answer-evidence.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "answer-evidence.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "answer-evidence.env" -}}
{{- $given := .Values.settings -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/answer-evidence/database_url }
- { name: REDIS_URL_FILE, value: /run/secrets/answer-evidence/redis_url }
- { name: SERVICE_MASTER_KEY_FILE, value: /run/secrets/answer-evidence/master_key }
- { name: S3_ACCESS_KEY_FILE, value: /run/secrets/answer-evidence/s3_access_key }
- { name: S3_SECRET_KEY_FILE, value: /run/secrets/answer-evidence/s3_secret_key }
- { name: S3_ENDPOINT, value: {{ required "set s3.endpoint" .Values.s3.endpoint | quote }} }
- { name: S3_BUCKET, value: {{ required "set s3.bucket" .Values.s3.bucket | quote }} }
- { name: S3_REGION, value: {{ .Values.s3.region | quote }} }
- { name: SERVICE_BASE_URL, value: {{ required "set baseUrl, the address that callers use" .Values.baseUrl | quote }} }
- { name: SERVICE_TRUSTED_PROXIES, value: {{ .Values.trustedProxies | quote }} }
{{- range $name := keys $given | sortAlpha }}
- { name: {{ $name }}, value: {{ get $given $name | quote }} }
{{- end }}
{{- end }}

{{- /* Where the console sends what browsers ask for: all processes behind one address. */ -}}
{{- define "answer-evidence.consoleUpstream" -}}
{{- if not (hasKey .Values.settings "SERVICE_CONSOLE_UPSTREAM") }}
- name: SERVICE_CONSOLE_UPSTREAM
  value: {{ if .Values.router.enabled }}http://{{ .Release.Name }}-router:8080{{ else }}{{ .Values.baseUrl }}{{ end }}
{{- end }}
{{- end }}

{{- define "answer-evidence.mounts" -}}
- { name: secrets, mountPath: /run/secrets/answer-evidence, readOnly: true }
- { name: data, mountPath: /var/lib/answer-evidence }
- { name: tmp, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "answer-evidence.volumes" -}}
- name: secrets
  secret:
    secretName: {{ required "set existingSecret, the name of a Secret that you have made" .Values.existingSecret | quote }}
    defaultMode: 0440
- name: tmp
  emptyDir: {}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "answer-evidence.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
