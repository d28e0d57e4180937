{{- define "precis.labels" -}}
app.kubernetes.io/name: precis
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* The environment of every container. */ -}}
{{- define "precis.environment" -}}
- name: PRECIS_CONFIG
  value: /run/precis/precis.yaml
- name: PRECIS_DATA_DIR
  value: /var/lib/precis
- name: PRECIS_LOG_FORMAT
  value: json
{{- with .Values.trustedProxies }}
- name: PRECIS_TRUSTED_PROXIES
  value: {{ toJson . | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Labels and annotations of pods, such as a cloud's workload identity or an injector of secrets reads. */ -}}
{{- define "precis.podLabels" -}}
{{- with .Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- define "precis.podAnnotations" -}}
{{- with .Values.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* What every pod of precis has besides its container. */ -}}
{{- define "precis.pod" -}}
automountServiceAccountToken: {{ .Values.serviceAccount.automountToken }}
{{- with .Values.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "precis.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env: {{- include "precis.environment" . | nindent 2 }}
{{- with .Values.extraEnvFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - {name: settings, mountPath: /run/precis, readOnly: true}
  - {name: keys, mountPath: /var/lib/precis}
  - {name: tmp, mountPath: /tmp}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end }}

{{- define "precis.volumes" -}}
- name: settings
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
- name: keys
{{- if .root.Values.storage.shared }}
  persistentVolumeClaim:
    claimName: {{ .root.Values.storage.existingClaim | default (printf "%s-keys" .root.Release.Name) }}
{{- else }}
  emptyDir: {}
{{- end }}
- name: tmp
  emptyDir: {}
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
