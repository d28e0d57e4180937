"""What lies between the server and whoever asks it: TLS."""
